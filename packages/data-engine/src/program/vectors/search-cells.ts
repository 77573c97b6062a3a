import type { FileHandle } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { type CellFile, reachLimits, readNow, vectorsAt } from "./cell-file.ts";
import { cellsByDistance } from "./cells.ts";
import { eachCompared, type Matrix, newMatrix } from "./kernel.ts";
import { soughtKey } from "./keys.ts";
import { metricRules, store } from "./metrics.ts";
import { NearestList, type Neighbour } from "./nearest-list.ts";

/** Bytes of vectors that are read at once. */
const pieceBytes = 4 * 1_048_576;
/** Bytes after which others are heard. */
const pauseBytes = 16 * pieceBytes;
/** Of a piece of which fewer vectors are kept, each is read alone. */
const wholeShare = 0.2;

export interface SoughtVector {
  readonly vector: readonly number[];
  readonly limit: number;
  /** A row that is not found. */
  readonly exceptRow: number | undefined;
  /** 1 for each row that may be found. Undefined: all rows may. */
  readonly kept: Uint8Array | undefined;
}

/** A file of cells that is open. */
export interface OpenCells {
  readonly file: FileHandle;
  readonly cells: CellFile;
}

/** The nearest vectors of a file. */
export async function searchCells(
  open: OpenCells,
  sought: SoughtVector,
  check: () => void,
): Promise<readonly Neighbour[]> {
  const { cells } = open;
  const wanted = newMatrix(1, cells.dimensions);
  if (sought.vector.length !== cells.dimensions || !store(cells.metric, sought.vector, wanted, 0))
    throw new Error("a vector that cannot be looked for");
  const search = new CellSearch(open, wanted, sought);
  const key = soughtKey(cells.metric, wanted);
  const inOrder = cellsByDistance(cells.centres, { matrix: key, row: 0 });
  const enough = enoughOf(cells, inOrder, sought);
  let bytes = 0;
  for (const [place, cell] of inOrder.entries()) {
    if (place >= enough.cells && search.lookedAt >= enough.rows) break;
    for (const piece of search.piecesOf(cell)) {
      bytes += search.lookAt(piece);
      if (bytes < pauseBytes) continue;
      bytes = 0;
      // The request may have been told to end.
      await setImmediate();
      check();
    }
  }
  return search.found.list();
}

/**
 * As many cells as find enough where all rows are kept, and as many kept rows as those cells have rows: so a filter that keeps few
 * rows finds all of them, and one that keeps some looks further.
 */
function enoughOf(
  { reaches, starts }: CellFile,
  inOrder: readonly number[],
  { limit, kept }: SoughtVector,
): { readonly cells: number; readonly rows: number } {
  const at = reachLimits.findIndex((most) => limit <= most);
  const { cells } = reaches[at < 0 ? reachLimits.length - 1 : at] ?? { cells: inOrder.length };
  const near = inOrder.slice(0, cells).map((cell) => (starts[cell + 1] ?? 0) - (starts[cell] ?? 0));
  return {
    cells,
    rows: kept
      ? Math.max(
          limit,
          near.reduce((sum, size) => sum + size, 0),
        )
      : limit,
  };
}

/** Places in the file that follow each other. */
interface Places {
  readonly first: number;
  readonly end: number;
}

class CellSearch {
  readonly found: NearestList;
  /** Rows that were compared. */
  lookedAt = 0;
  readonly #open: OpenCells;
  readonly #sought: SoughtVector;
  readonly #wanted: Matrix;
  readonly #begin: number;
  readonly #piece: Matrix;
  /** That fit into a piece. */
  readonly #rows: number;

  constructor(open: OpenCells, wanted: Matrix, sought: SoughtVector) {
    const { dimensions, centres } = open.cells;
    this.found = new NearestList(sought.limit);
    this.#open = open;
    this.#sought = sought;
    this.#wanted = wanted;
    this.#begin = vectorsAt({ dimensions, keyWidth: centres.matrix.width, cells: centres.count });
    this.#rows = Math.max(1, Math.floor(pieceBytes / (dimensions * Float32Array.BYTES_PER_ELEMENT)));
    this.#piece = newMatrix(this.#rows, dimensions);
  }

  /** The places of a cell in the file, as many at once as fit into memory. */
  *piecesOf(cell: number): Generator<Places> {
    const { starts } = this.#open.cells;
    const to = starts[cell + 1] ?? 0;
    for (let first = starts[cell] ?? 0; first < to; first += this.#rows)
      yield { first, end: Math.min(first + this.#rows, to) };
  }

  /** Compares the vectors at these places. Answers how many bytes were read. */
  lookAt({ first, end }: Places): number {
    const kept = this.#keptOf(first, end);
    if (kept === undefined || kept.length > (end - first) * wholeShare) return this.#compare(first, end);
    return kept.reduce((bytes, place) => bytes + this.#compare(place, place + 1), 0);
  }

  /** Places whose rows are kept. Undefined: all of them. */
  #keptOf(first: number, end: number): number[] | undefined {
    const { kept } = this.#sought;
    if (!kept) return undefined;
    const places: number[] = [];
    for (let place = first; place < end; place++) if (this.#isKept(place)) places.push(place);
    return places;
  }

  #isKept(place: number): boolean {
    const { exceptRow, kept } = this.#sought;
    const row = this.#open.cells.rows[place] ?? 0;
    return row !== exceptRow && (kept === undefined || kept[row] === 1);
  }

  #compare(first: number, end: number): number {
    const { file, cells } = this.#open;
    const { compare, distanceOf } = metricRules[cells.metric];
    const width = cells.dimensions;
    const count = end - first;
    const position = this.#begin + first * width * Float32Array.BYTES_PER_ELEMENT;
    const numbers = this.#piece.numbers.subarray(0, count * width);
    readNow(file, numbers, position);
    eachCompared(
      compare,
      { matrix: this.#wanted, row: 0 },
      { matrix: this.#piece, first: 0, count },
      (at, compared) => {
        if (!this.#isKept(first + at)) return;
        this.lookedAt += 1;
        const distance = distanceOf(compared);
        if (Number.isFinite(distance)) this.found.offer(cells.rows[first + at] ?? 0, distance);
      },
    );
    return numbers.byteLength;
  }
}
