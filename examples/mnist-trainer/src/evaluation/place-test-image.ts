import { pixelsPerImage } from "../learning/mnist.ts";
import type { Random } from "../learning/random.ts";

const width = 28;

/** Writes a test image where a network reads it: moved by `shift` pixels to the right and down, its grey values by up to `noise`. */
export function placeTestImage(
  images: Float32Array,
  { image, shift, noise }: { image: number; shift: number; noise: number },
  input: Float32Array,
  random: Pick<Random, "around">,
): void {
  const start = image * pixelsPerImage;
  for (let pixel = 0; pixel < pixelsPerImage; pixel++) {
    const [row, column] = [Math.floor(pixel / width) - shift, (pixel % width) - shift];
    const isInside = row >= 0 && row < width && column >= 0 && column < width;
    const grey = isInside ? (images[start + row * width + column] ?? 0) : 0;
    input[pixel] = noise === 0 ? grey : Math.min(1, Math.max(0, grey + random.around(noise)));
  }
}
