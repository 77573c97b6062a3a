import { describe, expect, it } from "vitest";
import { Random } from "../learning/random.ts";
import { placeTestImage } from "./place-test-image.ts";

/** Two images: nothing, and one white pixel at row 3, column 5. */
const images = new Float32Array(2 * 784);
images[784 + 3 * 28 + 5] = 1;

const placed = (shift: number, noise = 0) => {
  const input = new Float32Array(784).fill(0.5);
  placeTestImage(images, { image: 1, shift, noise }, input, Random.seeded(1));
  return input;
};

describe("a test image", () => {
  it.each([
    [0, 3 * 28 + 5],
    [2, 5 * 28 + 7],
    [-3, 0 * 28 + 2],
  ])("moved by %i pixels is what it was, elsewhere", (shift, white) => {
    const input = placed(shift);
    expect(input.indexOf(1)).toBe(white);
    expect(input.reduce((sum, grey) => sum + grey, 0)).toBe(1);
  });

  it("does not come in again at the other side", () => {
    expect(placed(-4).reduce((sum, grey) => sum + grey, 0)).toBe(0);
  });

  it("with noise stays between black and white, and is the same each time", () => {
    const noisy = placed(0, 0.8);
    expect(noisy.every((grey) => grey >= 0 && grey <= 1)).toBe(true);
    expect(noisy.filter((grey) => grey > 0).length).toBeGreaterThan(300);
    expect(placed(0, 0.8)).toEqual(noisy);
  });
});
