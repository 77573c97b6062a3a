import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { Readable, Writable } from "node:stream";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type Convert,
  type EngineReply,
  EngineReplySchema,
  type EngineRequest,
  EngineRequestSchema,
  type LayVectors,
  type Query,
} from "../gen/data_engine_pb.js";
import { framed, readFrames } from "../protocol/frames.ts";
import { convert } from "./convert/convert.ts";
import { Database, type DatabaseSettings } from "./duckdb/database.ts";
import { CancelledFailure, failureOf } from "./duckdb/failures.ts";
import { RowReader } from "./read/read-rows.ts";
import { runQuery } from "./read/run-query.ts";
import { computeStatistics } from "./read/statistics.ts";
import { buildCells } from "./vectors/build-cells.ts";
import { CellReader } from "./vectors/cell-reader.ts";
import { metricOf } from "./vectors/metrics.ts";

/** What a process is told when it starts. */
export interface ProgramSettings extends DatabaseSettings {
  /** Folder of the organisation, which it reads. */
  readonly folder: string;
}

type Said = NonNullable<MessageInitShape<typeof EngineReplySchema>["said"]>;
type Work = EngineRequest["work"];

/** Answers requests, one after another, until its input ends. */
export async function serve(input: Readable, output: Writable, settings: ProgramSettings): Promise<void> {
  const program = new Program(settings, async (reply) => {
    if (!output.write(framed(toBinary(EngineReplySchema, reply)))) await once(output, "drain");
  });
  await program.start();
  for await (const frame of readFrames(input)) program.hear(fromBinary(EngineRequestSchema, frame));
}

/** Between attempts to interrupt a cancelled request, ms: it may have been between two statements. */
const interruptMs = 50;

interface Running {
  readonly id: number;
  database?: Database;
  isCancelled?: boolean;
  interrupting?: NodeJS.Timeout;
}

/** Throws once the request was told to end. */
function checkOf(running: Running): () => void {
  return () => {
    if (running.isCancelled) throw new CancelledFailure();
  };
}

/** What it reads the organisation's files with. */
interface OwnDatabase {
  readonly database: Database;
  readonly rows: RowReader;
}

/** The requests of one process. */
class Program {
  readonly #settings: ProgramSettings;
  readonly #send: (reply: EngineReply) => Promise<void>;
  readonly #cells = new CellReader();
  /** Of the organisation's folder, for all but queries. */
  #own: OwnDatabase | undefined;
  #running: Running | undefined;

  constructor(settings: ProgramSettings, send: (reply: EngineReply) => Promise<void>) {
    this.#settings = settings;
    this.#send = send;
  }

  async start(): Promise<void> {
    await this.#ownDatabase();
    await this.#say(0, { case: "ready", value: {} });
  }

  /** Begins a request, or ends the one under way. */
  hear({ id, work }: EngineRequest): void {
    if (work.case !== "cancel") void this.#answer({ id }, work);
    else if (this.#running?.id === id) {
      const running = this.#running;
      running.isCancelled = true;
      running.interrupting ??= setInterval(() => running.database?.connection.interrupt(), interruptMs);
    }
  }

  async #answer(running: Running, work: Work): Promise<void> {
    this.#running = running;
    const said = await this.#do(running, work).catch(
      (error: unknown): Said => ({ case: "failure", value: failureOf(error) }),
    );
    clearInterval(running.interrupting);
    this.#running = undefined;
    await this.#say(running.id, said);
  }

  async #do(running: Running, work: Work): Promise<Said> {
    if (work.case === "query") return await this.#query(running, work.value);
    const { database, rows } = await this.#ownDatabase();
    running.database = database;
    switch (work.case) {
      case "convert":
        return { case: "converted", value: await this.#convert(running, work.value, database) };
      case "readRows":
        return { case: "page", value: await rows.read(work.value) };
      case "computeStatistics":
        return { case: "statistics", value: await computeStatistics(database, work.value) };
      case "layVectors":
        return { case: "vectorsLaid", value: await this.#layVectors(running, work.value, { database, rows }) };
      case "findNearest":
        return { case: "page", value: await this.#cells.find(database, work.value, checkOf(running)) };
      default:
        throw new Error("a request without work");
    }
  }

  #convert(running: Running, work: Convert, database: Database) {
    const onProgress = (bytesRead: number, bytesTotal: number) => this.#sayProgress(running.id, bytesRead, bytesTotal);
    return convert(work, { database, scratch: this.#settings.scratch, check: checkOf(running), onProgress });
  }

  async #layVectors(running: Running, work: LayVectors, { database, rows: reader }: OwnDatabase) {
    const { vectors: path, dimensions, output, exactRows } = work;
    const rows = await reader.count(path);
    const source = { database, path, metric: metricOf(work.metric), dimensions };
    const built = await buildCells(source, { rows, output, exactRows, check: checkOf(running) });
    return { rowCount: BigInt(built.rowCount), cells: built.cells, recall: built.reaches[0]?.recall ?? 1 };
  }

  /** In a database of its own, that reads the files of the query alone, and is gone after it. */
  async #query(running: Running, query: Query): Promise<Said> {
    this.#own?.database[Symbol.dispose]();
    this.#own = undefined;
    const files = [...query.views.flatMap((view) => view.files), ...(query.output === "" ? [] : [query.output])];
    using database = await Database.open(this.#settings, { directories: [], files, errorsAsJson: true });
    running.database = database;
    const sizes = await Promise.all(query.views.flatMap((view) => view.files).map((path) => stat(path)));
    const bytesTotal = sizes.reduce((sum, { size }) => sum + size, 0);
    const answer = await runQuery(database, query, (share) =>
      this.#sayProgress(running.id, Math.floor(bytesTotal * share), bytesTotal),
    );
    return "page" in answer ? { case: "page", value: answer.page } : { case: "converted", value: answer.converted };
  }

  async #ownDatabase(): Promise<OwnDatabase> {
    const { folder, scratch } = this.#settings;
    if (this.#own) return this.#own;
    const database = await Database.open(this.#settings, { directories: [folder, scratch], files: [] });
    this.#own = { database, rows: new RowReader(database) };
    return this.#own;
  }

  #sayProgress(id: number, bytesRead: number, bytesTotal: number): void {
    const value = { bytesRead: BigInt(bytesRead), bytesTotal: BigInt(bytesTotal) };
    void this.#say(id, { case: "progress", value });
  }

  async #say(id: number, said: Said): Promise<void> {
    await this.#send(create(EngineReplySchema, { id, said }));
  }
}
