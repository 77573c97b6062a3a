import { ParquetRows, type Row } from "./parquet-rows.ts";
import { DatasetError, type RunDataset } from "./run-dataset.ts";

/** Where the files of versions are found. */
export interface VersionFiles {
  /** @throws DatasetError, DatasetDigestError, ConnectError */
  pathOf(version: RunDataset): Promise<string>;
}

/** Which columns are read; default: all. */
export interface RowOptions {
  columns?: readonly string[];
}

const defaultBatchRows = 1_024;

/** A version of a dataset that the run reads. It never changes. */
export class Dataset {
  /** What the run says of it. */
  readonly version: Readonly<RunDataset>;
  readonly #files: VersionFiles;

  constructor(version: RunDataset, files: VersionFiles) {
    this.version = version;
    this.#files = files;
  }

  /**
   * Its Parquet file on this machine, downloaded where it is not there yet, and verified by its digest.
   * @throws DatasetError when it cannot be had, DatasetDigestError when it has other bytes, ConnectError when the platform stays away
   */
  path(): Promise<string> {
    return this.#files.pathOf(this.version);
  }

  /**
   * Its rows in their order, in lists of at most `size`, default 1,024. A whole number beyond 2^53 is a bigint, bytes are a Uint8Array, and a
   * missing value is null or undefined.
   * @throws DatasetError for a column that there is none of, and where the rows cannot be read; RangeError for a `size` below 1; and what
   * `path` throws
   */
  async *batches({ columns, size = defaultBatchRows }: RowOptions & { size?: number } = {}): AsyncGenerator<Row[]> {
    if (!Number.isSafeInteger(size) || size < 1) {
      throw new RangeError(
        `size is ${size}, and has to be a whole number of at least 1: it is the most rows that a batch has`,
      );
    }
    const file = await ParquetRows.open(await this.path(), this.version.name);
    for await (const rows of file.groups(columns)) {
      for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
    }
  }

  /** As `batches`, row by row. */
  async *rows(options: RowOptions = {}): AsyncGenerator<Row> {
    for await (const rows of this.batches(options)) yield* rows;
  }
}

/** The data that a run reads, by name. */
export class RunDatasets {
  readonly #files: VersionFiles;
  readonly #known: () => readonly RunDataset[] | undefined;

  /** `known`: what the platform has told by now; undefined: nothing. */
  constructor(files: VersionFiles, known: () => readonly RunDataset[] | undefined) {
    this.#files = files;
    this.#known = known;
  }

  /** @throws DatasetError where the run names none like this, or the platform does not tell */
  named(name: string): Dataset {
    const versions = this.#known();
    if (!versions) {
      throw new DatasetError(
        `the platform does not tell which data the run reads, and "${name}" is needed: upgrade the platform, and start the trainer again`,
      );
    }
    const found = versions.find((version) => version.name === name);
    if (found) return new Dataset(found, this.#files);
    const names = versions.map((each) => `"${each.name}"`).join(", ") || "none";
    throw new DatasetError(
      `the run reads no data named "${name}"; it names ${names}: create it with \`datasets\` of that name`,
    );
  }
}
