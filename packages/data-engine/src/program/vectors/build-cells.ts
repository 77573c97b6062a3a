import { type FileHandle, open } from "node:fs/promises";
import { type Reach, reachLimits, vectorsAt, writeHead, writeNow } from "./cell-file.ts";
import { Cells } from "./cells.ts";
import { type Centres, centresOf } from "./k-means.ts";
import { newMatrix } from "./kernel.ts";
import { keyWidth, writeKey } from "./keys.ts";
import { type Sought, TrueNeighbours } from "./reach.ts";
import { type VectorBatch, type VectorSource, vectorBatches } from "./vector-batches.ts";
import { type Sample, sampleOf } from "./vector-sample.ts";

/** Vectors that are looked for to measure what is found. */
const soughtRows = 64;
/** Cells for each of the square root of the rows: with more of them, fewer rows are compared and more centres. */
const cellsOfRoot = 3;
/** A row that is in no cell. */
const nowhere = 0xffff;

export interface BuiltCells {
  readonly rowCount: number;
  readonly cells: number;
  readonly reaches: readonly Reach[];
}

/** How all vectors are divided. */
interface Division {
  readonly centres: Centres;
  /** Of each row. */
  readonly cellOf: Uint16Array;
  readonly sought: Sought;
}

interface Building {
  /** Of the file. */
  readonly rows: number;
  readonly output: string;
  /** Rows up to which there is one cell: a search compares all vectors. */
  readonly exactRows: number;
  /** Throws when the caller waits no longer. */
  readonly check: () => void;
}

/** Lays vectors out for searches: those that are near each other stand in the same cell. */
export async function buildCells(source: VectorSource, building: Building): Promise<BuiltCells> {
  const { rows, output, check } = building;
  const division = rows <= building.exactRows ? oneCell(source, rows) : await divide(source, { rows, check });
  await using file = await open(output, "w", 0o644);
  return await write(source, division, { file, check });
}

function oneCell({ metric, dimensions }: VectorSource, rows: number): Division {
  const width = keyWidth(metric, dimensions);
  const none = { vectors: newMatrix(0, dimensions), keys: newMatrix(0, width), rows: [] };
  return { centres: centresOf(newMatrix(1, width), 1), cellOf: new Uint16Array(rows), sought: none };
}

async function divide(
  source: VectorSource,
  { rows, check }: { readonly rows: number; readonly check: () => void },
): Promise<Division> {
  const { metric, dimensions } = source;
  const wanted = Math.min(nowhere - 1, Math.round(Math.sqrt(rows) * cellsOfRoot));
  const sample = await sampleOf(source, { wanted, check });
  const { keys, longest, rows: sampled } = sample;
  // Those that are looked for move no centre: what is found of them is what is found of others.
  const others = Array.from(sampled.keys()).slice(soughtRows);
  const cells = Cells.of(keys, others, wanted);
  const cellOf = new Uint16Array(rows).fill(nowhere);
  const key = newMatrix(1, keyWidth(metric, dimensions));
  for await (const batch of vectorBatches(source)) {
    check();
    for (const [at, row] of batch.rows.entries()) {
      writeKey(metric, { matrix: batch.matrix, row: at, longest }, key, 0);
      cellOf[row] = cells.cellOf({ matrix: key, row: 0 });
    }
  }
  return { centres: cells.centres, cellOf, sought: soughtOf(sample) };
}

/** The first ones of a sample, whose order is that of chance. */
function soughtOf({ vectors, keys, rows }: Sample): Sought {
  return { vectors, keys, rows: rows.slice(0, soughtRows) };
}

interface Writing {
  readonly file: FileHandle;
  readonly check: () => void;
}

async function write(
  source: VectorSource,
  { centres, cellOf, sought }: Division,
  { file, check }: Writing,
): Promise<BuiltCells> {
  const { metric, dimensions } = source;
  const isOne = centres.count === 1;
  const starts = startsOf(cellOf, centres.count);
  const next = starts.slice();
  const rows = new Uint32Array(cellOf.length);
  const truth = new TrueNeighbours(metric, sought);
  const sizes = { dimensions, keyWidth: centres.matrix.width, cells: centres.count };
  const begin = vectorsAt(sizes);
  for await (const batch of vectorBatches(source)) {
    check();
    truth.note(batch);
    for (const { first, ordered } of runsOf(batch, cellOf, next, rows))
      writeNow(file, ordered, begin + first * dimensions * Float32Array.BYTES_PER_ELEMENT);
  }
  // In one cell, rows that cannot be found were counted as well.
  const rowCount = isOne ? (next[0] ?? 0) : (starts.at(-1) ?? 0);
  if (isOne) starts[1] = rowCount;
  const all = reachLimits.map(() => ({ cells: 1, recall: 1 }));
  const reaches = isOne ? all : truth.reaches(centres, cellOf);
  await writeHead(file, { metric, dimensions, centres, starts, rows: rows.subarray(0, rowCount), reaches });
  return { rowCount, cells: centres.count, reaches };
}

function startsOf(cellOf: Uint16Array, cells: number): Uint32Array {
  const starts = new Uint32Array(cells + 1);
  for (const cell of cellOf) if (cell !== nowhere) starts[cell + 1] = (starts[cell + 1] ?? 0) + 1;
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  return starts;
}

/** Vectors of a batch that stand behind each other in the file, with the place of the first one. Notes the rows of all places. */
function* runsOf(
  { matrix, rows }: VectorBatch,
  cellOf: Uint16Array,
  next: Uint32Array,
  rowsOfFile: Uint32Array,
): Generator<{ first: number; ordered: Float32Array }> {
  const { numbers, width } = matrix;
  for (const [cell, members] of Map.groupBy(rows.keys(), (at) => cellOf[rows[at] ?? 0] ?? nowhere)) {
    const first = next[cell] ?? 0;
    const ordered = new Float32Array(members.length * width);
    for (const [place, at] of members.entries()) {
      ordered.set(numbers.subarray(at * width, (at + 1) * width), place * width);
      rowsOfFile[first + place] = rows[at] ?? 0;
    }
    next[cell] = first + members.length;
    yield { first, ordered };
  }
}
