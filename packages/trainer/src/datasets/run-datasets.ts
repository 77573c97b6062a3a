import { columnsOf, type Row, rowGroups } from "./parquet-rows.ts";
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
   * @throws DatasetError for a column that there is none of, and what `path` throws
   */
  async *batches({ columns, size = defaultBatchRows }: RowOptions & { size?: number } = {}): AsyncGenerator<Row[]> {
    const path = await this.path();
    await this.#assertThere(path, columns ?? []);
    for await (const rows of rowGroups(path, columns)) {
      for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size);
    }
  }

  /** As `batches`, row by row. */
  async *rows(options: RowOptions = {}): AsyncGenerator<Row> {
    for await (const rows of this.batches(options)) yield* rows;
  }

  async #assertThere(path: string, columns: readonly string[]): Promise<void> {
    if (columns.length === 0) return;
    const known = await columnsOf(path);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown === undefined) return;
    throw new DatasetError(`"${this.version.name}" has no column "${unknown}"; its columns: ${known.join(", ")}`);
  }
}

/** The data that a run reads, by name. */
export class RunDatasets {
  readonly #files: VersionFiles;
  #datasets = new Map<string, Dataset>();

  /** `versions`: what is known of them; undefined: nothing yet. */
  constructor(files: VersionFiles, versions: readonly RunDataset[] | undefined) {
    this.#files = files;
    if (versions) this.know(versions);
  }

  /** The platform has told what the run reads. */
  know(versions: readonly RunDataset[]): void {
    this.#datasets = new Map(versions.map((version) => [version.name, new Dataset(version, this.#files)]));
  }

  /** @throws DatasetError where the run names none like this */
  named(name: string): Dataset {
    const found = this.#datasets.get(name);
    if (found) return found;
    const names = [...this.#datasets.keys()].map((each) => `"${each}"`).join(", ") || "none";
    throw new DatasetError(
      `the run reads no data named "${name}"; it names ${names}: create it with \`datasets\` of that name`,
    );
  }
}
