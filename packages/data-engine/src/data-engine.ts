import { randomUUID } from "node:crypto";
import { mkdir, realpath, rename, rm, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Logger } from "@aiplatform/service-host";
import type { ControlGroups } from "@aiplatform/serving-runtime/control-groups";
import { findSandbox, type Sandbox, SandboxUnavailableError } from "@aiplatform/serving-runtime/sandbox";
import { createInstruments, type Instruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { answerOf, nearRowsOf, pageOf, statisticsOf, writtenOf } from "./answers.ts";
import {
  EngineLimitError,
  EngineQueueFullError,
  EngineStoppedError,
  InvalidQueryError,
  UnreadableFileError,
} from "./errors.ts";
import { defaultExactRows, defaultLimits, defaultPageBytes, defaultReadMs, maxPageBytes } from "./limits.ts";
import { dataEngineMetrics } from "./metrics.ts";
import { folderOf, newPathWithin, pathWithin } from "./organisation-paths.ts";
import type { EarlyEnd } from "./pool/early-end.ts";
import { engineCode, engineCommand, heapMiB } from "./pool/engine-command.ts";
import { EnginePool, type JobKind } from "./pool/engine-pool.ts";
import { type Answer, EngineProcess, type RequestBounds, type Work } from "./pool/engine-process.ts";
import { publishFile } from "./pool/publish-file.ts";
import { openScratch, ScratchFolder } from "./pool/scratch-folder.ts";

import type {
  ConvertRequest,
  LaidVectors,
  LayVectorsRequest,
  MadeFile,
  NearestRequest,
  NearRow,
  Page,
  QueryRequest,
  QueryToFileRequest,
  RowsRequest,
  Statistics,
  StatisticsRequest,
  WrittenFile,
} from "./requests.ts";
import { conversionOf, nearestOf, queryOf, rowsOf } from "./work.ts";

export interface DataEngineOptions {
  /** What contains the processes: `auto`, `namespaces`, `landlock`, or `none` where something else does. */
  readonly sandbox: string;
  /** Name of the setting that says so, for errors. */
  readonly sandboxSetting: string;
  /** Default: python3. It runs the launcher of the sandbox. */
  readonly python?: string;
  /** Of the files: one folder for each organisation. One engine has it at a time. Its files can be read by all users. */
  readonly directory: string;
  readonly maxProcesses: number;
  /** MiB of one process altogether; at least {@link minMemoryMiB}. */
  readonly memoryMiB: number;
  /** Of one process. Default: as many as there are processors, at most 4. */
  readonly threads?: number;
  /** MiB that one process may write: what does not fit into memory, what is unpacked, and its result. */
  readonly temporaryDiskMiB: number;
  /** Ms that a process is kept for the next request of its organisation. */
  readonly idleMs: number;
  /** Requests of one organisation that may wait, and as many conversions. Default 32. */
  readonly queueLength?: number;
  /** Default: none. */
  readonly controlGroups?: ControlGroups;
  readonly logger: Pick<Logger, "info" | "warn">;
  readonly meter?: Meter;
}

/** Node, its heap and libraries: what a process takes beside DuckDB, MiB. */
const besideDuckDB = heapMiB + 192;
/** The least memory of a process with which DuckDB can work, MiB. */
export const minMemoryMiB = besideDuckDB + 128;
const mebibyte = 1_048_576;
const maxDefaultThreads = 4;

type RequestName = "convert" | "rows" | "statistics" | "query" | "vectors" | "nearest";

/**
 * Opens an engine: DuckDB in processes that read their organisation's folder alone, reach no network, and are held to limits.
 * @throws SandboxUnavailableError where the machine cannot contain them, unless `none` is asked for
 */
export async function openDataEngine(options: DataEngineOptions): Promise<DataEngine> {
  if (options.memoryMiB < minMemoryMiB)
    throw new RangeError(`A process of the data engine needs at least ${minMemoryMiB} MiB`);
  // Passed through by processes of another user, and listed by the service alone.
  await mkdir(options.directory, { recursive: true, mode: 0o711 });
  const directory = await realpath(options.directory);
  const { sandbox: choice, sandboxSetting: setting, python } = options;
  const sandbox = await findSandbox({ choice, setting, read: engineCode, ...(python !== undefined && { python }) });
  if (sandbox.kind === "none" && choice !== "none") {
    const remedy = `Set ${setting} to none where a container of its own contains the service`;
    throw new SandboxUnavailableError(`This machine cannot contain the data engine: ${sandbox.reason}. ${remedy}.`);
  }
  options.logger.info({ sandbox: sandbox.kind }, "the data engine is open");
  return new DataEngine({ ...options, directory }, sandbox, await openScratch(directory));
}

/** Reads files of organisations in processes that are contained. */
export class DataEngine implements AsyncDisposable {
  readonly #options: DataEngineOptions;
  readonly #sandbox: Sandbox;
  readonly #scratch: string;
  readonly #pool: EnginePool;
  readonly #metrics: Instruments<typeof dataEngineMetrics>;

  constructor(options: DataEngineOptions, sandbox: Sandbox, scratch: string) {
    this.#options = options;
    this.#sandbox = sandbox;
    this.#scratch = scratch;
    const { maxProcesses, idleMs, queueLength = 32 } = options;
    const start = (organisationId: string) => this.#start(organisationId);
    this.#pool = new EnginePool({ maxProcesses, idleMs, queueLength, start });
    this.#metrics = createInstruments(options.meter, dataEngineMetrics);
    this.#metrics.data_engine_queue_length.observe((report) => report(this.#pool.waiting));
    this.#metrics.data_engine_processes.observe((report) => {
      report(this.#pool.busy, { state: "busy" });
      report(this.#pool.idle, { state: "idle" });
    });
  }

  /**
   * Makes one Parquet file of files. Nothing of it is there until all of it is.
   * @throws UnreadableFileError, EngineLimitError, and what every request may meet: EngineStoppedError, EngineQueueFullError,
   * EngineClosedError, ForeignPathError, the signal's reason
   */
  async convert(request: ConvertRequest): Promise<WrittenFile> {
    const folder = await this.#folder(request.organisationId);
    const output = await newPathWithin(folder, request.output);
    const files = await Promise.all(
      request.files.map(async (file) => ({ ...file, path: await pathWithin(folder, file.path) })),
    );
    const limits = { ...defaultLimits, ...request.limits };
    await assertInput(files, limits.maxInputBytes);
    const { organisationId, signal, onProgress } = request;
    return await this.#run({ name: "convert", kind: "long", organisationId, signal }, async (process) => {
      const [converted, made] = await this.#write(process, output, async (into) => {
        const bounds = { timeMs: limits.timeMs, signal, onProgress };
        return answerOf(await process.request(conversionOf(files, into, limits), bounds), "converted");
      });
      return writtenOf(converted, made);
    });
  }

  /** Rows of Parquet files. @throws InvalidQueryError a column that is not there, and as `convert` */
  async rows(request: RowsRequest): Promise<Page> {
    const files = await this.#files(request);
    const work = rowsOf(request, files, pageBytes(request.maxBytes));
    return pageOf(await this.#ask("rows", request, work));
  }

  /** Statistics of each column. @throws as `rows` */
  async statistics(request: StatisticsRequest): Promise<Statistics> {
    const files = await this.#files(request);
    const columns = [...(request.columns ?? [])];
    return statisticsOf(
      await this.#ask("statistics", request, { case: "computeStatistics", value: { files, columns } }),
    );
  }

  /** The first rows that a query answers. @throws InvalidQueryError, and as `convert` */
  async query(request: QueryRequest): Promise<Page> {
    const folder = await this.#folder(request.organisationId);
    const work = await queryOf(request, { folder, maxBytes: pageBytes(request.maxBytes) });
    return pageOf(await this.#ask("query", request, work));
  }

  /** Writes all that a query answers into a Parquet file. @throws as `query` */
  async queryToFile(request: QueryToFileRequest): Promise<WrittenFile> {
    const folder = await this.#folder(request.organisationId);
    const output = await newPathWithin(folder, request.output);
    const { organisationId, signal, onProgress } = request;
    return await this.#run({ name: "query", kind: "long", organisationId, signal }, async (process) => {
      const [converted, made] = await this.#write(process, output, async (into) => {
        const work = await queryOf({ ...request, limit: 0 }, { folder, maxBytes: 0, output: into });
        const timeMs = request.limits?.timeMs ?? defaultLimits.timeMs;
        return answerOf(await process.request(work, { timeMs, signal, onProgress }), "converted");
      });
      return writtenOf(converted, made);
    });
  }

  /** Lays vectors out for searches, in a file. @throws as `convert` */
  async layVectors(request: LayVectorsRequest): Promise<LaidVectors> {
    const folder = await this.#folder(request.organisationId);
    const output = await newPathWithin(folder, request.output);
    const vectors = await pathWithin(folder, request.vectors);
    const { organisationId, metric, dimensions, exactRows = defaultExactRows, signal, limits } = request;
    return await this.#run({ name: "vectors", kind: "long", organisationId, signal }, async (process) => {
      const [{ rowCount, cells, recall }, made] = await this.#write(process, output, async (into) => {
        const value = { vectors, metric, dimensions, exactRows, output: into };
        const work: Work = { case: "layVectors", value };
        const timeMs = limits?.timeMs ?? defaultLimits.timeMs;
        return answerOf(await process.request(work, { timeMs, signal }), "vectorsLaid");
      });
      return { rowCount: Number(rowCount), cells, recall, ...made };
    });
  }

  /** The nearest rows by vectors that are laid out. @throws EngineStoppedError a file without such vectors, or a vector of another length, and as `convert` */
  async nearest(request: NearestRequest): Promise<NearRow[]> {
    const work = await nearestOf(request, await this.#folder(request.organisationId));
    return nearRowsOf(await this.#ask("nearest", request, work));
  }

  /** Finishes what was given, then ends the processes. Requests that come later are refused. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  #folder(organisationId: string): Promise<string> {
    return folderOf(this.#options.directory, organisationId);
  }

  async #files({ organisationId, files }: { readonly organisationId: string; readonly files: readonly string[] }) {
    const folder = await this.#folder(organisationId);
    return await Promise.all(files.map((path) => pathWithin(folder, path)));
  }

  #ask(
    name: RequestName,
    request: RowsRequest | StatisticsRequest | QueryRequest | NearestRequest,
    work: Work,
  ): Promise<Answer> {
    const { organisationId, signal, limits } = request;
    const bounds: RequestBounds = { timeMs: limits?.timeMs ?? defaultReadMs, signal };
    return this.#run({ name, kind: "short", organisationId, signal }, (process) => process.request(work, bounds));
  }

  /** Has a process write a file, and takes it over once the process is gone, which can then change nothing of it. */
  async #write<T>(
    process: EngineProcess,
    output: string,
    write: (into: string) => Promise<T>,
  ): Promise<readonly [T, MadeFile]> {
    const within = join(process.scratch.path, "output");
    const staged = join(this.#scratch, randomUUID());
    try {
      const said = await write(within);
      await rename(within, staged);
      await process[Symbol.asyncDispose]();
      return [said, await publishFile(staged, output)];
    } catch (error) {
      // A file or a query that is refused is no reason for a new process; anything else is.
      if (isRefusal(error)) await process.scratch.clear();
      else await process[Symbol.asyncDispose]();
      throw error;
    } finally {
      await rm(staged, { force: true });
    }
  }

  async #run<T>(
    { name, ...job }: { readonly name: RequestName; readonly kind: JobKind } & OrganisationJob,
    work: (process: EngineProcess) => Promise<T>,
  ): Promise<T> {
    const queuedAt = performance.now();
    let beganAt: number | undefined;
    try {
      const result = await this.#pool.run(job, (process) => {
        beganAt = performance.now();
        this.#metrics.data_engine_request_wait_seconds.record((beganAt - queuedAt) / 1_000, { request: name });
        return work(process);
      });
      this.#note(name, beganAt, "done");
      return result;
    } catch (error) {
      if (error instanceof EngineQueueFullError) this.#metrics.data_engine_requests_refused_total.add(1);
      this.#note(name, beganAt, outcomeOf(error));
      if (error instanceof EngineStoppedError)
        this.#options.logger.warn(
          { organisation_id: job.organisationId, request: name, error: error.message },
          "a process of the data engine ended",
        );
      throw error;
    }
  }

  #note(request: RequestName, beganAt: number | undefined, outcome: Outcome): void {
    if (beganAt === undefined) return;
    const seconds = (performance.now() - beganAt) / 1_000;
    this.#metrics.data_engine_request_duration_seconds.record(seconds, { request, outcome });
  }

  async #start(organisationId: string): Promise<EngineProcess> {
    const { memoryMiB, temporaryDiskMiB, threads, controlGroups } = this.#options;
    const scratch = await ScratchFolder.create(this.#scratch);
    const settings = {
      folder: await this.#folder(organisationId),
      scratch: scratch.path,
      memoryMiB: memoryMiB - besideDuckDB,
      threads: threads ?? Math.min(maxDefaultThreads, availableParallelism()),
      temporaryDiskMiB,
    };
    const command = engineCommand({ sandbox: this.#sandbox, settings, memoryMiB, fileMiB: temporaryDiskMiB });
    const groups = controlGroups?.kind === "cgroup" ? controlGroups : undefined;
    const group = await groups?.create(`data-${organisationId}`, { memoryMb: memoryMiB });
    const maxScratchBytes = temporaryDiskMiB * mebibyte;
    const onEarlyEnd = (cause: EarlyEnd) => this.#metrics.data_engine_processes_ended_total.add(1, { cause });
    return await EngineProcess.start({ organisationId, command, scratch, maxScratchBytes, group, onEarlyEnd });
  }
}

interface OrganisationJob {
  readonly organisationId: string;
  readonly signal: AbortSignal | undefined;
}

type Outcome = "done" | "refused" | "limit" | "stopped" | "cancelled";

const isRefusal = (error: unknown) => error instanceof UnreadableFileError || error instanceof InvalidQueryError;

function outcomeOf(error: unknown): Outcome {
  if (isRefusal(error)) return "refused";
  if (error instanceof EngineLimitError) return "limit";
  return error instanceof EngineStoppedError ? "stopped" : "cancelled";
}

const pageBytes = (wanted = defaultPageBytes) => Math.min(wanted, maxPageBytes);

async function assertInput(files: readonly { readonly path: string }[], max: number): Promise<void> {
  const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > max)
    throw new EngineLimitError("input", `The files have more than ${max} bytes together`);
}
