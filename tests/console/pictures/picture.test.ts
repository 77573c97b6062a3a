import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compact, differenceOf } from "./picture.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "picture-"));
  await writeFile(join(folder, "baseline.png"), square(20, 0));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A white square with a black one of so many pixels' width in it. */
function square(width: number, black: number): Buffer {
  const png = new PNG({ width, height: width });
  png.data.fill(255);
  for (let row = 5; row < 5 + black; row += 1)
    for (let column = 5; column < 5 + black; column += 1)
      png.data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return PNG.sync.write(png);
}

const compared = (picture: Buffer, baseline = "baseline.png") =>
  differenceOf({
    name: "home-light",
    picture,
    baseline: join(folder, baseline),
    difference: join(folder, "differences", "home-light.png"),
  });

describe("a picture that is compared with its baseline", () => {
  it("is equal to it, also when it is compact", async () => {
    expect(await compared(square(20, 0))).toBeUndefined();
    expect(await compared(compact(square(20, 0)))).toBeUndefined();
  });

  it("is named with the number of pixels that differ, and the image that shows them", async () => {
    const difference = join(folder, "differences", "home-light.png");
    expect(await compared(square(20, 4))).toBe(
      `the picture home-light differs from its baseline in 16 pixels: ${difference} shows them in red`,
    );
    const { data } = PNG.sync.read(await readFile(difference));
    const red = data.filter((value, at) => at % 4 === 0 && value === 255 && data[at + 1] === 0 && data[at + 2] === 0);
    expect(red).toHaveLength(16);
  });

  it("is named when it has another size, or no baseline", async () => {
    expect(await compared(square(21, 0))).toContain("has 21 × 21 pixels, and its baseline 20 × 20");
    expect(await compared(square(20, 0), "absent.png")).toContain("has no baseline");
  });
});
