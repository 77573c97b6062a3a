import { loadMnist, pixelsPerImage } from "./mnist.ts";

/** Digits that the model has not learned from, as lines of JSON: what the digit is, its grey values 0 to 255, and the share of dark pixels. */
export async function digitRows(count: number): Promise<Uint8Array> {
  const { testImages, testLabels } = await loadMnist();
  const lines = Array.from(testLabels.subarray(0, count), (label, index) => {
    const pixels = testImages.subarray(index * pixelsPerImage, (index + 1) * pixelsPerImage);
    const image = Array.from(pixels, (pixel) => Math.round(pixel * 255));
    const dark = image.filter((grey) => grey > 127).length / pixelsPerImage;
    return JSON.stringify({ label, image, ink_share: Number(dark.toFixed(4)) });
  });
  return Buffer.from(`${lines.join("\n")}\n`);
}
