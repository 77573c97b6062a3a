import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type Attached,
  type AttachResponse,
  type CommandDelivery,
  type CommandWithdrawal,
  TrainerService,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { Outcome, PublishedArtifact, SavedCheckpoint } from "../workload.ts";
import { AttemptPauses } from "./attempt-pauses.ts";
import { artifactMessage, checkpointMessage, outcomeMessage } from "./messages.ts";

/**
 * The platform's answer to an outcome: recorded; already decided otherwise; or command unknown.
 */
export type Acknowledgement =
  | { case: "recorded"; segment: number; state: JobState }
  | { case: "resolved"; why: string }
  | { case: "unknown" };

/** What the link tells. */
export interface LinkEvents {
  attached(attached: Attached): void;
  command(delivery: CommandDelivery): void;
  withdrawal(withdrawal: CommandWithdrawal): void;
  detached(): void;
  /** Checkpoints were pruned; those of earlier times are in `attached`. */
  pruned(checkpointIds: readonly string[]): void;
  /** The connection came or went, in a sentence. */
  log(line: string): void;
}

export interface LinkOptions {
  transport: Transport;
  apiKey: string;
  address: { runId: string; jobName: string; attachmentId: string };
  /** The last command that is finished with: its sequence, and its id where that is known. */
  lastCommand: () => { lastSequence: number; lastCommandId?: string };
  events: LinkEvents;
  /** A stream silent for so long is given up. Default 30,000: three heartbeats. */
  silenceMs?: number;
}

/** Refusals of an outcome that no repeat will change; everything else is worth another attempt. */
const decidedOtherwise: ReadonlySet<string> = new Set(["COMMAND_RESOLVED", "COMMAND_OUT_OF_ORDER"]);
/** Failures of which another attempt may know nothing. */
const passing: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Canceled,
  Code.ResourceExhausted,
]);
const reportTimeoutMs = 2_000;
/** How often a state is told: training waits for it. */
const maxAttempts = 3;

/** The attachment to the platform: kept up for ever, whatever becomes of the connection. */
export class PlatformLink {
  readonly client: Client<typeof TrainerService>;
  readonly #options: LinkOptions;
  readonly #stop = new AbortController();
  #connected = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.client = createClient(TrainerService, options.transport);
  }

  /** Whether the stream of commands is up. */
  get connected(): boolean {
    return this.#connected;
  }

  get address(): LinkOptions["address"] {
    return this.#options.address;
  }

  /** Aborted when the link is closed. */
  get closed(): AbortSignal {
    return this.#stop.signal;
  }

  callOptions(signal: AbortSignal = this.#stop.signal): { headers: { authorization: string }; signal: AbortSignal } {
    return { headers: { authorization: `Bearer ${this.#options.apiKey}` }, signal };
  }

  /** Attaches, and attaches again, until the link is closed. */
  async run(): Promise<void> {
    const pauses = new AttemptPauses();
    const { events } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        if ((await this.#attach(pauses)) === "reconnect") continue;
      } catch (error) {
        if (!this.#stop.signal.aborted) events.log(`the platform is away: ${ConnectError.from(error).message}`);
      }
      this.#connected = false;
      await pauses.pause(this.#stop.signal);
    }
    this.#connected = false;
  }

  close(): void {
    this.#stop.abort();
  }

  /** Another process is the job's trainer: there is nothing more to say. */
  detach(): void {
    this.close();
    this.#options.events.detached();
  }

  /** Tries until there is an answer; undefined when the link is closed before, or another process is the trainer now. */
  async acknowledge(outcome: Outcome): Promise<Acknowledgement | undefined> {
    const pauses = new AttemptPauses();
    const request = { ...this.address, commandId: outcome.commandId, outcome: outcomeMessage(outcome) };
    while (!this.#stop.signal.aborted) {
      try {
        const { activeSegment, state } = await this.client.acknowledgeCommand(request, this.#unary(10_000));
        return { case: "recorded", segment: activeSegment, state };
      } catch (error) {
        const failure = ConnectError.from(error);
        const reason = reasonOf(failure);
        if (reason === "ATTACHMENT_LOST") this.detach();
        else if (failure.code === Code.NotFound) return { case: "unknown" };
        else if (decidedOtherwise.has(reason) || failure.code === Code.InvalidArgument)
          return { case: "resolved", why: failure.rawMessage };
        else await pauses.pause(this.#stop.signal);
      }
    }
    return undefined;
  }

  /** Tells the state if the platform can be reached now, in a few attempts; returns whether it has it. */
  reportState(state: JobState, more: { detail?: string; artifact?: PublishedArtifact } = {}): Promise<boolean> {
    const { artifact, ...rest } = more;
    const request = { ...this.address, ...rest, state, ...(artifact ? { artifact: artifactMessage(artifact) } : {}) };
    return this.#attempt(`state ${JobState[state]}`, maxAttempts, () =>
      this.client.reportJobState(request, this.#unary(reportTimeoutMs)),
    );
  }

  /** Makes a checkpoint known if the platform can be reached now; what is not taken is told again, and after the next attachment. */
  async registerCheckpoint(checkpoint: SavedCheckpoint): Promise<void> {
    const request = { ...this.address, checkpoint: checkpointMessage(checkpoint) };
    const call = () => this.client.registerCheckpoint(request, this.#unary(reportTimeoutMs));
    const isTaken = await this.#attempt("checkpoint", 1, call);
    if (!isTaken) void this.#attempt("checkpoint", Number.POSITIVE_INFINITY, call);
  }

  /** Whether the call went well; a failure that may pass is followed by another attempt, as long as the stream is up. */
  async #attempt(what: string, max: number, call: () => Promise<unknown>): Promise<boolean> {
    const pauses = new AttemptPauses();
    for (let attempt = 1; this.#connected; attempt++) {
      try {
        await call();
        return true;
      } catch (error) {
        if (this.#stop.signal.aborted) return false;
        const failure = ConnectError.from(error);
        this.#options.events.log(`${what} was not taken: ${failure.message}`);
        if (attempt >= max || !passing.has(failure.code)) return false;
        await pauses.pause(this.#stop.signal);
      }
    }
    return false;
  }

  #unary(timeoutMs: number): ReturnType<PlatformLink["callOptions"]> & { timeoutMs: number } {
    return { ...this.callOptions(), timeoutMs };
  }

  async #attach(pauses: AttemptPauses): Promise<"reconnect" | "ended"> {
    const { lastCommand, silenceMs = 30_000 } = this.#options;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error(`nothing was heard for ${silenceMs / 1_000} s`)), silenceMs);
    try {
      const request = { ...this.address, ...lastCommand() };
      const signal = AbortSignal.any([this.#stop.signal, silence.signal]);
      for await (const { event } of this.client.attach(request, this.callOptions(signal))) {
        timer.refresh();
        if (event.case === "reconnect") return "reconnect";
        if (event.case === "attached") pauses.reset();
        this.#notify(event);
      }
      return "ended";
    } finally {
      clearTimeout(timer);
      this.#connected = false;
    }
  }

  #notify(event: AttachResponse["event"]): void {
    const { events } = this.#options;
    if (event.case === "attached") {
      this.#connected = true;
      events.log("attached to the platform");
      events.attached(event.value);
    }
    if (event.case === "command") events.command(event.value);
    if (event.case === "withdrawal") events.withdrawal(event.value);
    if (event.case === "pruned") events.pruned(event.value.checkpointIds);
    if (event.case === "detached") this.detach();
  }
}

/** The stable word by which a refusal is known; empty without one. */
export function reasonOf(error: ConnectError): string {
  return error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
}
