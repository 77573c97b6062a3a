import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

/** Share of the way from black to white by which a pixel may differ: curves are not drawn alike to the last bit on each processor. */
const threshold = 0.1;

/** Where a picture is compared, and where what differs is drawn. */
export interface Comparison {
  readonly name: string;
  readonly picture: Buffer;
  /** Path of the picture that it is to equal. */
  readonly baseline: string;
  /** Path of the image that shows what differs, written only if something does. */
  readonly difference: string;
}

/** Says in one line how a picture differs from its baseline; undefined: not at all. */
export async function differenceOf({ name, picture, baseline, difference }: Comparison): Promise<string | undefined> {
  if (!existsSync(baseline)) return `the picture ${name} has no baseline at ${baseline}`;
  const actual = PNG.sync.read(picture);
  const expected = PNG.sync.read(await readFile(baseline));
  const { width, height } = expected;
  if (actual.width !== width || actual.height !== height)
    return `the picture ${name} has ${actual.width} × ${actual.height} pixels, and its baseline ${width} × ${height}`;
  const drawn = new PNG({ width, height });
  const count = pixelmatch(expected.data, actual.data, drawn.data, width, height, { threshold });
  if (count === 0) return undefined;
  await mkdir(dirname(difference), { recursive: true });
  await writeFile(difference, PNG.sync.write(drawn));
  return `the picture ${name} differs from its baseline in ${count} pixels: ${difference} shows them in red`;
}

/** A picture in fewer bytes: rows as they are compress better than rows as differences, because screens are mostly plain. */
export function compact(picture: Buffer): Buffer {
  return PNG.sync.write(PNG.sync.read(picture), { colorType: 2, filterType: 0, deflateLevel: 9, deflateStrategy: 0 });
}
