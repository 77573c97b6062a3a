import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { backoffMs } from "@aiplatform/backoff";
import type { InstanceGroup, InstanceGroups } from "@aiplatform/serving-runtime";
import type { RolloutFailure } from "../../rollouts/rollout.ts";
import { fetchRuntimeState, type RuntimeState } from "../runtime-state.ts";
import type { InstanceState, ObservedInstance } from "../serving-driver.ts";
import type { ServingTls } from "../serving-tls.ts";
import { ChildOutput } from "./child-output.ts";
import { failureOfExit } from "./process-exit.ts";
import type { ProcessGuard } from "./process-guard.ts";
import { usageOf } from "./process-usage.ts";
import { stepBehind } from "./processor-priority.ts";
import { ResourceWatch, runtimeMemoryMb } from "./resource-watch.ts";

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
  /** What it proves itself by. Absent: it is without TLS. */
  tls?: ServingTls | undefined;
  memoryMb: number;
  /** Where each of its processes gets a control group. Absent: it has none. */
  groups?: InstanceGroups | undefined;
  /** Processor time beside predictions that it may take at once, ms. */
  spareProcessorMs: number;
  /** What predictions under way have left when it is to end, ms. */
  graceMs: number;
}

/** Who hears of an instance. */
export interface InstanceListeners {
  onChange: () => void;
  /** Called with each line that it writes. */
  onLine: (line: string) => void;
}

const startingPollMs = 50;
const poll = { everyMs: 1_000, timeoutMs: 2_000 };
/** Unanswered polls in a row after which it counts as unhealthy, and after which it is killed. */
const missedPolls = { unhealthy: 3, killed: 10 };
/** Starts in a row without having been ready after which it counts as failed. */
const maxFailedStarts = 3;
/** Time to begin to listen, after which it is killed, ms. */
const listenTimeoutMs = 60_000;
/** What Node says at its end when it gets no memory: of its heap, or from the kernel. */
const outOfMemory = ["heap out of memory", "Array buffer allocation failed"];
const backoff = { minMs: 250, maxMs: 30_000, resetAfterMs: 60_000 };
/** Between two looks at what it takes, ms. */
const lookEveryMs = 250;

/** One instance: a child process that is restarted, with backoff, until it is stopped. */
export class InstanceProcess {
  readonly name: string;
  readonly #plan: InstancePlan;
  readonly #guard: ProcessGuard;
  readonly #listeners: InstanceListeners;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #child: ChildProcess | undefined;
  #group: InstanceGroup | undefined;
  #state: InstanceState = "starting";
  #failure: RolloutFailure | undefined;
  #url: string | undefined;
  #reported: RuntimeState | undefined;
  #restarts = 0;
  #failedStarts = 0;

  constructor(plan: InstancePlan, guard: ProcessGuard, listeners: InstanceListeners) {
    this.name = plan.name;
    this.#plan = plan;
    this.#guard = guard;
    this.#listeners = listeners;
    this.#running = this.#runUntilStopped();
  }

  observe(): ObservedInstance {
    return {
      name: this.name,
      state: this.#state,
      ...(this.#url === undefined ? {} : { url: this.#url }),
      ...(this.#failure ? { reason: this.#failure.reason, detail: this.#failure.message } : {}),
      inFlight: this.#reported?.inFlight ?? 0,
      ...(this.#reported?.lastUsedAt ? { lastUsedAt: this.#reported.lastUsedAt } : {}),
      restarts: this.#restarts,
    };
  }

  /** Lets predictions under way end, then ends it. Resolves when it is gone. */
  async stop(): Promise<void> {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      this.#child?.kill("SIGTERM");
      const killTimer = setTimeout(() => this.#kill(), this.#plan.graceMs);
      await this.#running;
      clearTimeout(killTimer);
    }
    await this.#running;
  }

  async #runUntilStopped(): Promise<void> {
    const { signal } = this.#stop;
    for (let ends = 1; !signal.aborted; ends += 1) {
      const startedAt = performance.now();
      await this.#runOnce();
      if (signal.aborted) return;
      if (performance.now() - startedAt > backoff.resetAfterMs) ends = 1;
      await delay(backoffMs(backoff, ends), undefined, { signal }).catch(() => undefined);
      this.#restarts += 1;
    }
  }

  async #runOnce(): Promise<void> {
    let opened: InstanceGroup | undefined;
    try {
      opened = await this.#plan.groups?.create(this.name, { memoryMb: this.#plan.memoryMb + runtimeMemoryMb });
    } catch (error) {
      const message = `The instance's control group could not be made: ${String(error)}.`;
      this.#exited({ reason: "ResourcesUnavailable", message });
      return;
    }
    await using group = opened;
    this.#group = group;
    // It may have been stopped while the group was made.
    if (!this.#stop.signal.aborted) await this.#runProcess();
    this.#group = undefined;
  }

  async #runProcess(): Promise<void> {
    const { env, cwd, memoryMb } = this.#plan;
    const { command, args } = this.#group?.commandWithin(this.#plan) ?? this.#plan;
    // In a session of its own, so that Ctrl-C and signals to our group leave it to us to end it.
    const child = spawn(command, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    const closed = once(child, "close").catch((error: unknown) => [null, null, error]);
    if (child.pid === undefined) {
      await closed;
      this.#exited({ reason: "ResourcesUnavailable", message: "The instance's process could not be started." });
      return;
    }
    this.#guard.add(child.pid);
    stepBehind(child.pid);
    child.stdin.on("error", () => {});
    const output = new ChildOutput(child.stdout, child.stderr, {
      onPort: () => this.#listeners.onChange(),
      onLine: this.#listeners.onLine,
    });
    const exited = new AbortController();
    const watching = Promise.all([this.#watch(output, exited.signal), this.#watchResources(child.pid, exited.signal)]);
    await closed;
    exited.abort();
    this.#guard.drop(child.pid);
    const [{ killedFor: killedAs, wasReady }, exceeded] = await watching;
    const killedFor = exceeded ?? killedAs;
    const { exitCode: code, signalCode: signal } = child;
    const isMemoryFull = outOfMemory.some((text) => output.includes(text));
    const { lastLine } = output;
    const memoryEnd = await this.#group?.memoryEnd();
    const exit = { code, signal, killedFor, wasReady, isMemoryFull, memoryEnd, lastLine, memoryMb };
    this.#exited(failureOfExit(exit), wasReady);
  }

  /** Ends all of it at once. */
  #kill(): void {
    if (!this.#group?.kill()) this.#child?.kill("SIGKILL");
  }

  /** Polls until it has exited; kills it where it cannot go on. */
  async #watch(output: ChildOutput, exited: AbortSignal) {
    const startedAt = performance.now();
    let wasReady = false;
    let killedFor: RolloutFailure | undefined;
    for (let unanswered = 0; !exited.aborted; ) {
      if (!killedFor) {
        const report = output.port === undefined ? undefined : await this.#poll(output.port);
        unanswered = report || output.port === undefined ? 0 : unanswered + 1;
        if (exited.aborted) break;
        this.#show(report, unanswered);
        wasReady ||= this.#state === "ready";
        const isSilent = output.port === undefined && performance.now() - startedAt > listenTimeoutMs;
        killedFor = killReason(report, unanswered, isSilent);
        if (killedFor) this.#kill();
      }
      const pauseMs = wasReady ? poll.everyMs : startingPollMs;
      await delay(pauseMs, undefined, { signal: exited }).catch(() => undefined);
    }
    return { killedFor, wasReady };
  }

  #poll(port: number): Promise<RuntimeState | undefined> {
    const { host, token, tls } = this.#plan;
    this.#url = `${tls ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`;
    return fetchRuntimeState({ url: this.#url, token, timeoutMs: poll.timeoutMs, tls });
  }

  /** Kills it where it takes more than its share, and says why. */
  async #watchResources(pid: number, exited: AbortSignal): Promise<RolloutFailure | undefined> {
    const { groups, memoryMb, spareProcessorMs } = this.#plan;
    const isHeld = groups?.controllers.has("memory") ?? false;
    const watch = new ResourceWatch({ spareProcessorMs, ...(!isHeld && { memoryMb }) });
    while (!exited.aborted) {
      const usage = await usageOf(pid);
      const report = this.#state === "ready" ? this.#reported : undefined;
      const failure = usage && watch.exceeded(usage, report, performance.now());
      if (failure) {
        this.#kill();
        return failure;
      }
      await delay(lookEveryMs, undefined, { signal: exited }).catch(() => undefined);
    }
    return undefined;
  }

  #show(report: RuntimeState | undefined, unanswered: number): void {
    if (report) this.#reported = report;
    if (report?.state === "ready") this.#setState("ready");
    // It knows itself that another start would end alike.
    else if (report?.state === "failed" && this.#state === "starting")
      this.#setState("failed", failureOfReport(report));
    else if (unanswered >= missedPolls.unhealthy && this.#state === "ready") {
      this.#setState("unhealthy", { reason: "HealthCheckFailed", message: "The instance does not answer." });
    }
  }

  /** An instance that was ready and no longer is counts as unhealthy until it is ready again. */
  #exited(failure: RolloutFailure, wasReady = false): void {
    this.#url = undefined;
    this.#reported = undefined;
    if (this.#stop.signal.aborted) return;
    this.#failedStarts = wasReady ? 0 : this.#failedStarts + 1;
    const isPermanent = isPermanentFailure(failure) || this.#failedStarts >= maxFailedStarts;
    if (!wasReady && isPermanent) this.#setState("failed", failure);
    else this.#setState(wasReady || this.#state === "unhealthy" ? "unhealthy" : this.#state, failure);
  }

  #setState(state: InstanceState, failure?: RolloutFailure): void {
    if (state === "ready") this.#failedStarts = 0;
    const isSame = state === this.#state && failure?.message === this.#failure?.message;
    this.#state = state;
    this.#failure = failure;
    if (!isSame) this.#listeners.onChange();
  }
}

/** What another start will not repair, as far as can be told. */
function isPermanentFailure({ reason }: RolloutFailure): boolean {
  return reason === "InvalidBundle" || reason === "ArtifactMissing" || reason === "ResourcesUnavailable";
}

function failureOfReport({ reason = "ModelLoadFailed", detail }: RuntimeState): RolloutFailure {
  return { reason, message: detail ?? "What is to be served cannot be loaded." };
}

/** Undefined where it may go on. */
function killReason(
  report: RuntimeState | undefined,
  unanswered: number,
  isSilent: boolean,
): RolloutFailure | undefined {
  if (report?.state === "failed") return failureOfReport(report);
  if (unanswered >= missedPolls.killed)
    return { reason: "HealthCheckFailed", message: "The instance does not answer." };
  return isSilent ? { reason: "HealthCheckFailed", message: "The instance does not begin to listen." } : undefined;
}
