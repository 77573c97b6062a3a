import type { DuckDBValue } from "@duckdb/node-api";
import { type Table, tableFromIPC } from "@uwdata/flechette";
import { ArrowFault, damaged } from "./arrow-fault.ts";
import { type DuckColumn, type ReadValue, RowMeter } from "./duck-column.ts";
import { duckColumn } from "./duck-columns.ts";
import { type IpcMessage, maxDictionaryBytes, readMessages } from "./ipc-file.ts";

/** A column of a file, by its name. */
export interface NamedColumn {
  readonly name: string;
  readonly column: DuckColumn;
}

/** Rows that are stored at once. */
export interface RowChunk {
  /** Values by columns. */
  readonly columns: DuckDBValue[][];
  readonly rowCount: number;
  /** What they take, as far as it is more than little. */
  readonly bytes: number;
}

/** DuckDB's own vectors have as many. */
const chunkRows = 2_048;
const chunkBytes = 16 * 1_048_576;
/** What a value takes besides: a number, or the place of a text. */
const valueBytes = 16;
/** Dictionaries and additions to them: reading takes time by the square of these. */
const maxDictionaryParts = 1_000;
/** Record batches that are decoded at once: for each time the values of all dictionaries are made. */
const groupBytes = 16 * 1_048_576;
const options = { useDecimalInt: true };
/** A failure of the machine, not of the file. */
const ofMachine = /allocation failed|out of memory/i;

/** The rows of an Arrow file, record batch by record batch. Where reading ends with an `ArrowFault`, `place` says where. */
export class ArrowRows {
  readonly #messages: AsyncGenerator<IpcMessage>;
  readonly #meter: RowMeter;
  readonly #check: () => void;
  readonly #dictionaries = new Map<number, IpcMessage[]>();
  #schema: IpcMessage | undefined;
  #columns: readonly NamedColumn[] = [];
  #batch = 0;
  #row = 0;
  #column: string | undefined;

  /** `check` throws when the caller waits no longer. */
  constructor(path: string, maxCellBytes: number, check: () => void) {
    this.#check = check;
    this.#messages = readMessages(path);
    this.#meter = new RowMeter(maxCellBytes);
  }

  get place(): { readonly place: string; readonly column: string | undefined } {
    const row = this.#row === 0 ? "" : `, row ${this.#row} of it`;
    return { place: this.#batch === 0 ? "" : `record batch ${this.#batch}${row}`, column: this.#column };
  }

  /** The columns: what comes first. @throws ArrowFault */
  async schema(): Promise<readonly NamedColumn[]> {
    const first = await this.#messages.next();
    if (first.done || first.value.kind !== "schema") throw damaged("The file does not begin with its columns");
    this.#schema = first.value;
    const { fields } = decoded([first.value]).schema;
    if (fields.length === 0)
      throw new ArrowFault({ rule: "header", message: "The file has no columns", remedy: "Write one at least." });
    const seen = new Set<string>();
    this.#columns = fields.map(({ name, type }) => {
      this.#column = name || undefined;
      assertName(name, seen);
      return { name, column: duckColumn(type, this.#meter) };
    });
    this.#column = undefined;
    return this.#columns;
  }

  /** All rows. @throws ArrowFault */
  async *chunks(): AsyncGenerator<RowChunk> {
    let [batches, bytes]: [IpcMessage[], number] = [[], 0];
    for await (const message of this.#messages) {
      this.#check();
      if (message.kind === "schema") throw damaged("A second list of columns follows");
      const messageBytes = Math.max(message.bytes.length, message.unpackedBytes);
      if (message.kind === "dictionary" || bytes + messageBytes > groupBytes) {
        yield* this.#rows(batches);
        [batches, bytes] = [[], 0];
      }
      if (message.kind === "dictionary") this.#keep(message);
      else {
        batches.push(message);
        bytes += messageBytes;
      }
    }
    yield* this.#rows(batches);
  }

  async close(): Promise<void> {
    await this.#messages.return(undefined);
  }

  #keep(message: IpcMessage): void {
    const { id, isDelta } = message.dictionary ?? { id: 0, isDelta: false };
    this.#dictionaries.set(id, [...(isDelta ? (this.#dictionaries.get(id) ?? []) : []), message]);
    const kept = [...this.#dictionaries.values()].flat();
    const bytes = kept.reduce((sum, each) => sum + Math.max(each.bytes.length, each.unpackedBytes), 0);
    if (bytes <= maxDictionaryBytes && kept.length <= maxDictionaryParts) return;
    const said = `The dictionaries of the file have more than ${maxDictionaryBytes / 1_048_576} MiB or ${maxDictionaryParts} parts`;
    throw new ArrowFault({ rule: "unsupported", message: said, remedy: "Write the columns without dictionaries." });
  }

  /** Rows of record batches between which no dictionary stands. */
  *#rows(batches: readonly IpcMessage[]): Generator<RowChunk> {
    if (!this.#schema) throw new Error("rows before their columns");
    if (batches.length === 0) return;
    this.#batch++;
    const table = decoded([this.#schema, ...[...this.#dictionaries.values()].flat(), ...batches]);
    for (const [at, { batch }] of batches.entries()) {
      if (at > 0) this.#batch++;
      const rows = batch?.rows ?? 0;
      const readers = this.#columns.map(({ name, column }, index): ReadValue => {
        this.#column = name;
        const data = table.children[index]?.data[at];
        if (data?.length !== rows)
          throw damaged("A column has another number of values than its record batch has rows");
        return column.open(data);
      });
      this.#column = undefined;
      for (let from = 0; from < rows; ) {
        const chunk = this.#chunk(readers, from, rows);
        yield chunk;
        from += chunk.rowCount;
      }
    }
  }

  /** As many rows as fit. */
  #chunk(readers: readonly ReadValue[], from: number, rows: number): RowChunk {
    const columns: DuckDBValue[][] = readers.map(() => []);
    this.#meter.bytes = 0;
    let row = from;
    for (; row < rows && row - from < chunkRows && this.#meter.bytes < chunkBytes; row++) {
      this.#row = row + 1;
      for (const [index, read] of readers.entries()) {
        this.#column = this.#columns[index]?.name;
        this.#meter.begin();
        columns[index]?.push(read(row));
      }
      this.#meter.bytes += readers.length * valueBytes;
    }
    this.#row = 0;
    this.#column = undefined;
    return { columns, rowCount: row - from, bytes: this.#meter.bytes };
  }
}

/** The messages as flechette reads them: what they say of themselves was looked at before. @throws ArrowFault */
function decoded(messages: readonly IpcMessage[]): Table {
  try {
    return tableFromIPC(
      messages.map(({ bytes }) => bytes),
      options,
    );
  } catch (error) {
    if (error instanceof ArrowFault || (error instanceof Error && ofMachine.test(error.message))) throw error;
    throw damaged("What the file says of its columns and buffers does not fit together");
  }
}

function assertName(name: string, seen: Set<string>): void {
  const lower = name.toLowerCase();
  if (name !== "" && !name.includes("\0") && !seen.has(lower)) {
    seen.add(lower);
    return;
  }
  throw new ArrowFault({
    rule: "header",
    message: seen.has(lower)
      ? "Two columns have this name, whatever the case"
      : "A column has no name, or one with a NUL",
    remedy: "Give each column a name of its own.",
  });
}
