import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { RolloutFailure } from "../../rollouts/situation.ts";
import { askRuntimeState, type RuntimeState } from "../runtime-state.ts";
import type { InstanceState, ObservedInstance } from "../serving-driver.ts";
import { ChildOutput } from "./child-output.ts";
import { failureOfEnd, tooMuchMemory } from "./life-end.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { residentMemoryMb } from "./resident-memory.ts";

/** What runs as an instance, and within which bounds. */
export interface InstancePlan {
  name: string;
  /** Address it listens on, and is reached at. */
  host: string;
  command: string;
  args: readonly string[];
  /** All of its environment: nothing of ours is handed on. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** What it wants to see as bearer. */
  token: string;
  memoryMb: number;
  /** What predictions under way have left when it is to end, ms. */
  graceMs: number;
}

const startingPollMs = 50;
const poll = { everyMs: 1_000, timeoutMs: 2_000 };
/** Unanswered questions after which it counts as unhealthy, and after which it is ended. */
const missed = { unhealthy: 3, ended: 10 };
/** Lives without having been ready after which it counts as failed. */
const vainLives = 3;
/** Time without having listened after which it is ended, ms. */
const listensWithinMs = 60_000;
const backOff = { firstMs: 250, longestMs: 30_000, wellAfterMs: 60_000 };
/** What the runtime itself takes beside what it serves, MiB; it keeps within the limit by itself as a rule. */
const ownMemoryMb = 160;

/** One instance: a child process that is started again, after a pause that grows, until it is stopped. */
export class InstanceProcess {
  readonly name: string;
  readonly #plan: InstancePlan;
  readonly #guard: ProcessGuard;
  readonly #onChange: () => void;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #child: ChildProcess | undefined;
  #state: InstanceState = "starting";
  #failure: RolloutFailure | undefined;
  #url: string | undefined;
  #said: RuntimeState | undefined;
  #restarts = 0;
  #vain = 0;

  constructor(plan: InstancePlan, guard: ProcessGuard, onChange: () => void) {
    this.name = plan.name;
    this.#plan = plan;
    this.#guard = guard;
    this.#onChange = onChange;
    this.#running = this.#live();
  }

  observe(): ObservedInstance {
    return {
      name: this.name,
      state: this.#state,
      ...(this.#url === undefined ? {} : { url: this.#url }),
      ...(this.#failure ? { reason: this.#failure.reason, detail: this.#failure.message } : {}),
      inFlight: this.#said?.inFlight ?? 0,
      ...(this.#said?.lastUsedAt ? { lastUsedAt: this.#said.lastUsedAt } : {}),
      restarts: this.#restarts,
    };
  }

  /** Lets predictions under way end, then ends it. Resolves when it is gone. */
  async stop(): Promise<void> {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      this.#child?.kill("SIGTERM");
      const impatience = setTimeout(() => this.#child?.kill("SIGKILL"), this.#plan.graceMs);
      await this.#running;
      clearTimeout(impatience);
    }
    await this.#running;
  }

  async #live(): Promise<void> {
    const { signal } = this.#stop;
    for (let pauseMs = backOff.firstMs; !signal.aborted; ) {
      const bornAt = performance.now();
      await this.#liveOnce();
      if (signal.aborted) return;
      if (performance.now() - bornAt > backOff.wellAfterMs) pauseMs = backOff.firstMs;
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, backOff.longestMs);
      this.#restarts += 1;
    }
  }

  async #liveOnce(): Promise<void> {
    const { command, args, env, cwd, memoryMb } = this.#plan;
    // In a session of its own, so that Ctrl-C and signals to our group leave it to us to end it.
    const child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    const over = once(child, "close").catch((error: unknown) => [null, null, error]);
    if (child.pid === undefined) {
      await over;
      this.#end({ reason: "ResourcesUnavailable", message: "The instance's process could not be started." });
      return;
    }
    this.#guard.add(child.pid);
    child.stdin.on("error", () => {});
    const output = new ChildOutput(child.stdout, child.stderr, () => this.#onChange());
    const isOver = new AbortController();
    const watching = this.#watch(child.pid, output, isOver.signal);
    await over;
    isOver.abort();
    this.#guard.drop(child.pid);
    const { endedFor, wasReady } = await watching;
    const { exitCode: code, signalCode: signal } = child;
    const isHeapFull = output.says("heap out of memory");
    const { lastLine } = output;
    this.#end(failureOfEnd({ code, signal, endedFor, wasReady, isHeapFull, lastLine, memoryMb }), wasReady);
  }

  /** Asks how it is until it is over; ends it where it cannot go on. */
  async #watch(pid: number, output: ChildOutput, over: AbortSignal) {
    const bornAt = performance.now();
    let wasReady = false;
    let endedFor: RolloutFailure | undefined;
    for (let unanswered = 0; !over.aborted; ) {
      if (!endedFor) {
        const found = output.port === undefined ? undefined : await this.#ask(output.port);
        unanswered = found || output.port === undefined ? 0 : unanswered + 1;
        if (over.aborted) break;
        this.#show(found, unanswered);
        wasReady ||= this.#state === "ready";
        const isMute = output.port === undefined && performance.now() - bornAt > listensWithinMs;
        endedFor = (await this.#excess(pid)) ?? verdict(found, unanswered, isMute);
        if (endedFor) this.#child?.kill("SIGKILL");
      }
      const pauseMs = wasReady ? poll.everyMs : startingPollMs;
      await delay(pauseMs, undefined, { signal: over }).catch(() => undefined);
    }
    return { endedFor, wasReady };
  }

  #ask(port: number): Promise<RuntimeState | undefined> {
    const { host, token } = this.#plan;
    this.#url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
    return askRuntimeState({ url: this.#url, token, timeoutMs: poll.timeoutMs });
  }

  async #excess(pid: number): Promise<RolloutFailure | undefined> {
    const { memoryMb } = this.#plan;
    const used = (await residentMemoryMb(pid)) ?? 0;
    return used > memoryMb + ownMemoryMb ? tooMuchMemory(memoryMb) : undefined;
  }

  #show(said: RuntimeState | undefined, unanswered: number): void {
    if (said) this.#said = said;
    if (said?.state === "ready") this.#become("ready");
    // It knows itself that another start would end alike.
    else if (said?.state === "failed" && this.#state === "starting") this.#become("failed", sayingOf(said));
    else if (unanswered >= missed.unhealthy && this.#state === "ready") {
      this.#become("unhealthy", { reason: "HealthCheckFailed", message: "The instance does not answer." });
    }
  }

  /** A life is over. An instance that was ready and no longer is counts as unhealthy until it is ready again. */
  #end(failure: RolloutFailure, wasReady = false): void {
    this.#url = undefined;
    this.#said = undefined;
    if (this.#stop.signal.aborted) return;
    this.#vain = wasReady ? 0 : this.#vain + 1;
    const isHopeless = isDefinite(failure) || this.#vain >= vainLives;
    if (!wasReady && isHopeless) this.#become("failed", failure);
    else this.#become(wasReady || this.#state === "unhealthy" ? "unhealthy" : this.#state, failure);
  }

  #become(state: InstanceState, failure?: RolloutFailure): void {
    if (state === "ready") this.#vain = 0;
    const isSame = state === this.#state && failure?.message === this.#failure?.message;
    this.#state = state;
    this.#failure = failure;
    if (!isSame) this.#onChange();
  }
}

/** What another start will not mend, as far as can be told. */
function isDefinite({ reason }: RolloutFailure): boolean {
  return reason === "InvalidBundle" || reason === "ArtifactMissing" || reason === "ResourcesUnavailable";
}

function sayingOf({ reason = "ModelLoadFailed", detail }: RuntimeState): RolloutFailure {
  return { reason, message: detail ?? "What is to be served cannot be loaded." };
}

/** Why it is to be ended; undefined where it may go on. */
function verdict(said: RuntimeState | undefined, unanswered: number, isMute: boolean): RolloutFailure | undefined {
  if (said?.state === "failed") return sayingOf(said);
  if (unanswered >= missed.ended) return { reason: "HealthCheckFailed", message: "The instance does not answer." };
  return isMute ? { reason: "HealthCheckFailed", message: "The instance does not begin to listen." } : undefined;
}
