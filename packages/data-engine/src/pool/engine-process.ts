import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { getPriority, setPriority } from "node:os";
import type { InstanceGroup } from "@aiplatform/serving-runtime/control-groups";
import type { SandboxedCommand } from "@aiplatform/serving-runtime/sandbox";
import { create, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { EngineLimitError, EngineStoppedError } from "../errors.ts";
import { type EngineReply, EngineReplySchema, EngineRequestSchema } from "../gen/data_engine_pb.js";
import { framed, readFrames } from "../protocol/frames.ts";
import type { Progress } from "../requests.ts";
import type { EarlyEnd } from "./early-end.ts";
import type { ScratchFolder } from "./scratch-folder.ts";

/** Of a process from its start until it can work, ms. */
const startMs = 60_000;
/** Of a process that was told to end a request, ms; then it is killed. */
const graceMs = 2_000;
const watchMs = 500;
/** More than that of the service. */
const niceness = 5;
const maxNice = 19;
const keptOfStderr = 4_096;
const wordsOfMemory = /out of memory|bad_alloc|Allocation failed|Cannot allocate/i;

/** A limit that ends a process. */
type EndingLimit = "time" | "disk" | "memory";
/** Why a process is killed. `released`: it is needed no longer. */
type KillCause = EarlyEnd | "released";
const limitTexts: Readonly<Record<EndingLimit, string>> = {
  time: "The request took longer than it may",
  disk: "The request needs more temporary disk than it may have",
  memory: "The request needs more memory than it may have",
};

export interface ProcessParts {
  readonly organisationId: string;
  readonly command: SandboxedCommand;
  readonly scratch: ScratchFolder;
  /** Bytes of all files of its scratch folder. */
  readonly maxScratchBytes: number;
  /** Where the machine has one for it. */
  readonly group?: InstanceGroup | undefined;
  /** Is told once, when a process is gone that was still needed. */
  readonly onEarlyEnd: (cause: EarlyEnd) => void;
}

/** What one request may take, and who waits. */
export interface RequestBounds {
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a process is asked. */
export type Work = NonNullable<MessageInitShape<typeof EngineRequestSchema>["work"]>;
export type Answer = Exclude<EngineReply["said"], { case: "ready" | "progress" | undefined }>;

interface Pending {
  readonly id: number;
  readonly onProgress: RequestBounds["onProgress"];
  readonly answered: PromiseWithResolvers<Answer>;
}

/** A process of one organisation, from its start to its end. */
export class EngineProcess implements AsyncDisposable {
  readonly organisationId: string;
  readonly scratch: ScratchFolder;
  /** Resolves when it is gone, with what it started, and its folder with it. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #parts: ProcessParts;
  readonly #ready = Promise.withResolvers<void>();
  #pending: Pending | undefined;
  #lastId = 0;
  #stderr = "";
  /** Why it was killed, where it was. */
  #cause: KillCause | undefined;
  #isGone = false;

  private constructor(parts: ProcessParts) {
    this.#parts = parts;
    this.organisationId = parts.organisationId;
    this.scratch = parts.scratch;
    const { command, args } = parts.group?.commandWithin(parts.command) ?? parts.command;
    // Nothing of the service's environment; times are shown in UTC.
    this.#child = spawn(command, [...args], { env: { TZ: "UTC" }, stdio: ["pipe", "pipe", "pipe"] });
    giveWay(this.#child.pid);
    this.#child.stdin?.on("error", () => this.kill("crash"));
    this.#child.stderr?.on("data", (part) => {
      this.#stderr = (this.#stderr + part).slice(-keptOfStderr);
    });
    void this.#listen();
    this.ended = this.#untilEnd();
  }

  /** Starts one, and waits until it can work. @throws EngineStoppedError */
  static async start(parts: ProcessParts): Promise<EngineProcess> {
    const started = new EngineProcess(parts);
    const timer = setTimeout(() => started.kill("time"), startMs);
    try {
      await started.#ready.promise;
      return started;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Whether it is gone, or told to go. */
  get isGone(): boolean {
    return this.#isGone;
  }

  /** What it has written to standard error of late. */
  get stderr(): string {
    return this.#stderr;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Has it do one thing. @throws EngineLimitError, EngineStoppedError, the signal's reason */
  async request(work: Work, { timeMs, signal, onProgress }: RequestBounds): Promise<Answer> {
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const answered = Promise.withResolvers<Answer>();
    this.#pending = { id, onProgress, answered };
    let end: "time" | "signal" | undefined;
    let killing: NodeJS.Timeout | undefined;
    const stop = (why: "time" | "signal") => {
      end ??= why;
      this.#send({ id, work: { case: "cancel", value: {} } });
      killing ??= setTimeout(() => this.kill(end === "time" ? "time" : "cancelled"), graceMs);
    };
    const onAbort = () => stop("signal");
    const timer = setTimeout(() => stop("time"), timeMs);
    const watch = setInterval(() => void this.#watchScratch(), watchMs);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      if (this.#isGone) throw new EngineStoppedError("it had ended before");
      this.#send({ id, work });
      const answer = await answered.promise;
      // What is left of its memory and disk may not do for the next one.
      if (answer.case === "failure" && answer.value.kind === "limit") this.kill(causeOf(answer.value.limit));
      const isCancelled = answer.case === "failure" && answer.value.kind === "cancelled";
      if (!isCancelled) return answer;
      throw new EngineStoppedError("it was interrupted");
    } catch (error) {
      if (end === "signal") throw signal?.reason;
      throw end === "time" ? new EngineLimitError("time", limitTexts.time) : error;
    } finally {
      for (const each of [timer, killing]) clearTimeout(each);
      clearInterval(watch);
      signal?.removeEventListener("abort", onAbort);
      this.#pending = undefined;
    }
  }

  /** Ends it at once. `ended` tells when it is gone. */
  kill(cause: KillCause): void {
    this.#isGone = true;
    this.#cause ??= cause;
    // A group ends with all that is in it.
    if (!this.#parts.group?.kill()) this.#child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill("released");
    await this.ended;
  }

  #send(request: { readonly id: number; readonly work: Work }): void {
    this.#child.stdin?.write(framed(toBinary(EngineRequestSchema, create(EngineRequestSchema, request))));
  }

  /** It is not believed: what is no reply to what was asked ends it. */
  async #listen(): Promise<void> {
    try {
      if (!this.#child.stdout) throw new Error("a process without output");
      for await (const frame of readFrames(this.#child.stdout)) this.#hear(fromBinary(EngineReplySchema, frame));
    } catch {
      this.kill("crash");
    }
  }

  #hear({ id, said }: EngineReply): void {
    if (said.case === "ready") this.#ready.resolve();
    else if (id !== this.#pending?.id || said.case === undefined) throw new Error("a reply to nothing");
    else if (said.case === "progress") {
      const { bytesRead, bytesTotal } = said.value;
      this.#pending.onProgress?.({ bytesRead: Number(bytesRead), bytesTotal: Number(bytesTotal) });
    } else this.#pending.answered.resolve(said);
  }

  async #watchScratch(): Promise<void> {
    if ((await this.scratch.size()) > this.#parts.maxScratchBytes) this.kill("disk");
  }

  async #untilEnd(): Promise<void> {
    const failed = once(this.#child, "error").catch(() => []);
    // When its output is closed, nothing holds it: a launcher may be gone before what it launched.
    const [code, signal] = await Promise.race([once(this.#child, "close"), failed]);
    this.#isGone = true;
    const cause = await this.#causeOfEnd();
    const limit = isLimit(cause) ? cause : undefined;
    const how = typeof signal === "string" ? signal : `code ${code}`;
    const error = limit ? new EngineLimitError(limit, limitTexts[limit]) : new EngineStoppedError(how);
    this.#ready.promise.catch(() => {});
    this.#ready.reject(error);
    this.#pending?.answered.reject(error);
    if (cause !== "released") this.#parts.onEarlyEnd(cause);
    await this.#parts.group?.[Symbol.asyncDispose]();
    await this.scratch[Symbol.asyncDispose]();
  }

  /** What it ran into itself may be known by its last words alone. */
  async #causeOfEnd(): Promise<KillCause> {
    if (this.#cause !== undefined && this.#cause !== "crash") return this.#cause;
    return (await this.#isOfMemory()) ? "memory" : "crash";
  }

  async #isOfMemory(): Promise<boolean> {
    return wordsOfMemory.test(this.#stderr) || (await this.#parts.group?.memoryEnd()) === "limit";
  }
}

/** Before it has started anything: what it starts is as nice. Where processors are scarce, the service goes first. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(maxNice, getPriority() + niceness));
  } catch {
    // It has ended already.
  }
}

const isLimit = (cause: KillCause): cause is EndingLimit => cause in limitTexts;

/** A process that has had too many rows or columns is in order, but not its memory: it gives way to another one. */
const causeOf = (limit: string): KillCause => (limit === "memory" || limit === "disk" ? limit : "released");
