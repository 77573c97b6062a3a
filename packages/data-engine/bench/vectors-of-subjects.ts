import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ARRAY, arrayValue, BIGINT, DuckDBDataChunk, DuckDBInstance, FLOAT } from "@duckdb/node-api";

export const dimensions = 384;
/** Numbers that say what a vector is about; the others follow from them, as in vectors that models make of texts. */
const latent = 48;
const subjects = 3_000;
const batchRows = 2_048;

/** Vectors of length 1 around subjects, of which some are frequent: the same ones on every machine. */
export class VectorsOfSubjects {
  #state = 12_345;
  readonly #normals = Float32Array.from({ length: 1 << 18 }, () => this.#normal());
  readonly #mixing = Float32Array.from({ length: dimensions * latent }, () => this.#drawn() / Math.sqrt(latent));
  readonly #subjects = Float32Array.from({ length: subjects * latent }, () => this.#drawn());

  next(): Float32Array {
    const subject = Math.floor(subjects * this.#uniform() * this.#uniform()) * latent;
    const about = Float32Array.from(
      { length: latent },
      (_, at) => (this.#subjects[subject + at] ?? 0) + 0.6 * this.#drawn(),
    );
    const vector = new Float32Array(dimensions);
    let squares = 0;
    for (let place = 0; place < dimensions; place++) {
      let sum = 0.15 * this.#drawn();
      for (let at = 0; at < latent; at++) sum += (this.#mixing[place * latent + at] ?? 0) * (about[at] ?? 0);
      vector[place] = sum;
      squares += sum * sum;
    }
    const length = Math.sqrt(squares);
    return vector.map((number) => number / length);
  }

  #uniform(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return ((this.#state >>> 8) + 0.5) / 16_777_216;
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(this.#uniform())) * Math.cos(2 * Math.PI * this.#uniform());
  }

  #drawn(): number {
    return this.#normals[Math.floor(this.#uniform() * this.#normals.length)] ?? 0;
  }
}

/** Writes so many vectors into a Parquet file, with the place of each. `folder`: for what does not fit into memory. */
export async function writeVectorFile(
  source: VectorsOfSubjects,
  rows: number,
  { path, folder }: VectorFile,
): Promise<void> {
  const staged = join(folder, `${rows}.duckdb`);
  const instance = await DuckDBInstance.create(staged, { threads: "2", memory_limit: "2GB" });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE vectors("row" BIGINT, vector FLOAT[${dimensions}])`);
  const appender = await connection.createAppender("vectors");
  for (let first = 0; first < rows; first += batchRows) {
    const count = Math.min(batchRows, rows - first);
    const chunk = DuckDBDataChunk.create([BIGINT, ARRAY(FLOAT, dimensions)]);
    const vectors = Array.from({ length: count }, () => arrayValue(Array.from(source.next())));
    chunk.setColumns([Array.from({ length: count }, (_, at) => BigInt(first + at)), vectors]);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  const options = "FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480";
  await connection.run(`COPY (FROM vectors ORDER BY "row") TO '${path}' (${options})`);
  connection.closeSync();
  instance.closeSync();
  await rm(staged);
}

interface VectorFile {
  readonly path: string;
  readonly folder: string;
}
