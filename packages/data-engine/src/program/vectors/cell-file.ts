import { readSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { type VectorMetric, vectorMetrics } from "../../requests.ts";
import { type Centres, centresOf } from "./k-means.ts";
import { newMatrix } from "./kernel.ts";

// A file of vectors in cells: its head, the centres of the cells, where each cell begins, the vectors,
// and the row of each. Numbers have 32 bits, the least significant byte first.

/** How many cells are looked at to find so many rows, and the share that was found so of the nearest rows of a sample. */
export interface Reach {
  readonly cells: number;
  readonly recall: number;
}

/** Rows that are asked for, up to which each reach was measured. */
export const reachLimits = [10, 100] as const;

export interface CellFile {
  readonly metric: VectorMetric;
  readonly dimensions: number;
  readonly centres: Centres;
  /** Of each cell, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Row of each vector. */
  readonly rows: Uint32Array;
  /** One for each of {@link reachLimits}. */
  readonly reaches: readonly Reach[];
}

/** Where the parts of a file are, in bytes. */
interface Layout {
  readonly centres: number;
  readonly starts: number;
  readonly vectors: number;
  readonly rows: number;
  readonly end: number;
}

interface Sizes {
  readonly dimensions: number;
  readonly keyWidth: number;
  readonly cells: number;
  readonly rows: number;
}

const mark = 0x31_4c_4c_43;
const headBytes = 64;
const numberBytes = 4;

function layoutOf({ dimensions, keyWidth, cells, rows }: Sizes): Layout {
  const starts = headBytes + cells * keyWidth * numberBytes;
  const vectors = starts + (cells + 1) * numberBytes;
  const rowsAt = vectors + rows * dimensions * numberBytes;
  return { centres: headBytes, starts, vectors, rows: rowsAt, end: rowsAt + rows * numberBytes };
}

/** Where the vectors begin, in bytes. */
export const vectorsAt = (sizes: Omit<Sizes, "rows">) => layoutOf({ ...sizes, rows: 0 }).vectors;

/** Writes all but the vectors. */
export async function writeHead(file: FileHandle, { metric, dimensions, centres, starts, rows, reaches }: CellFile) {
  const sizes = { dimensions, keyWidth: centres.matrix.width, cells: centres.count, rows: rows.length };
  const layout = layoutOf(sizes);
  const head = new DataView(new ArrayBuffer(headBytes));
  const words = [mark, dimensions, sizes.keyWidth, sizes.cells, sizes.rows, vectorMetrics.indexOf(metric)];
  for (const [at, word] of words.entries()) head.setUint32(at * numberBytes, word, true);
  for (const [at, { cells, recall }] of reaches.entries()) {
    head.setUint32(reachesAt + at * reachBytes, cells, true);
    head.setFloat32(reachesAt + at * reachBytes + numberBytes, recall, true);
  }
  await writeAt(file, new Uint8Array(head.buffer), 0);
  await writeAt(file, centres.matrix.numbers.subarray(0, sizes.cells * sizes.keyWidth), layout.centres);
  await writeAt(file, starts, layout.starts);
  await writeAt(file, rows, layout.rows);
}

const reachesAt = 32;
const reachBytes = 8;

/** Reads all but the vectors. @throws where it is no such file */
export async function readHead(file: FileHandle): Promise<CellFile> {
  const head = new DataView(new ArrayBuffer(headBytes));
  await readAt(file, new Uint8Array(head.buffer), 0);
  const word = (at: number) => head.getUint32(at * numberBytes, true);
  const [dimensions, keyWidth, cells, count] = [word(1), word(2), word(3), word(4)];
  const metric = vectorMetrics[word(5)];
  const layout = layoutOf({ dimensions, keyWidth, cells, rows: count });
  const { size } = await file.stat();
  if (word(0) !== mark || metric === undefined || layout.end !== size)
    throw new Error("the file has no vectors in cells");
  const matrix = newMatrix(cells, keyWidth);
  await readAt(file, matrix.numbers.subarray(0, cells * keyWidth), layout.centres);
  const [starts, rows] = [new Uint32Array(cells + 1), new Uint32Array(count)];
  await readAt(file, starts, layout.starts);
  await readAt(file, rows, layout.rows);
  const reaches = reachLimits.map((_, at) => ({
    cells: head.getUint32(reachesAt + at * reachBytes, true),
    recall: head.getFloat32(reachesAt + at * reachBytes + numberBytes, true),
  }));
  return { metric, dimensions, centres: centresOf(matrix, cells), starts, rows, reaches };
}

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
/** What is read or written at once. */
const pieceBytes = 64 * 1_048_576;

async function writeAt(file: FileHandle, array: ArrayBufferView, position: number): Promise<void> {
  const bytes = bytesOf(array);
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, Math.min(pieceBytes, bytes.length - done), position + done)).bytesWritten;
}

/** @throws when the file ends before */
async function readAt(file: FileHandle, array: ArrayBufferView, position: number): Promise<void> {
  const bytes = bytesOf(array);
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, done, Math.min(pieceBytes, bytes.length - done), position + done);
    if (bytesRead === 0) throw new Error("a file of vectors ends too early");
    done += bytesRead;
  }
}

/** Like {@link writeAt}, without waiting: the vectors of a cell come in many short pieces. */
export function writeNow(file: FileHandle, array: ArrayBufferView, position: number): void {
  const bytes = bytesOf(array);
  for (let done = 0; done < bytes.length; )
    done += writeSync(file.fd, bytes, done, bytes.length - done, position + done);
}

/** Like {@link readAt}, without waiting: what is looked for stands in many short pieces. @throws when the file ends before */
export function readNow(file: FileHandle, array: ArrayBufferView, position: number): void {
  const bytes = bytesOf(array);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(file.fd, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error("a file of vectors ends too early");
    done += read;
  }
}
