import { setImmediate, setTimeout } from "node:timers/promises";
import { TrainingControlAction } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import {
  type Attached,
  HeartbeatSource,
  LifecyclePhase,
  PhaseStatus,
} from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { inSpan, traceOf } from "@aiplatform/telemetry";
import { Code, ConnectError } from "@connectrpc/connect";
import { SpanKind } from "@opentelemetry/api";
import { runDatasetOf } from "../datasets/run-dataset.ts";
import type { Acknowledgement } from "../link/platform-link.ts";
import { showing } from "../media/showing.ts";
import { type Outcome, type Progress, type PublishedArtifact, RefusedError, type StartingPoint } from "../workload.ts";
import type { AgentParts } from "./agent-parts.ts";
import { applyCommand, standingOf, startUnder } from "./command-actions.ts";
import type { WaitingCommand } from "./command-queue.ts";
import { messageOf } from "./message-of.ts";
import { missedStates } from "./missed-states.ts";
import { saveCheckpoint, trainingAgain } from "./save-checkpoint.ts";

const nothingFinished = { lastSequence: 0, lastCommandId: undefined, outcome: undefined, undo: undefined };

const farewellMs = 1_000;
const lastReportsMs = 10_000;
const restedMs = 5_000;

/**
 * Drives a workload: steps while there is something to train, commands between two steps. Every effect is in the
 * journal before the platform is told of it, so a process that dies in between tells it again and does nothing twice.
 */
export class TrainerAgent {
  readonly #parts: AgentParts;
  #attached: Attached | undefined;
  /** The attachment was not compared with the journal yet. */
  #unseen = false;
  #acknowledging = false;
  #answer: { outcome: Outcome; answer: Acknowledgement } | undefined;
  /** What `COMPLETED` was told with, and not answered: it may be recorded, and then no other state may follow. */
  #unansweredEnd: { artifact?: PublishedArtifact; detail?: string } | undefined;
  #stopping = false;
  #lost = false;
  /** On the clock of `performance.now()`, which does not jump. */
  #lastStepAt = Number.NEGATIVE_INFINITY;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** Where the process's own heartbeat comes from: the training loop while it steps, else what is around it. */
  get heartbeatSource(): HeartbeatSource {
    return performance.now() - this.#lastStepAt < restedMs ? HeartbeatSource.TRAINER : HeartbeatSource.RUNNER;
  }

  /** The platform answered an attachment. */
  attached(attached: Attached): void {
    this.#attached = attached;
    this.#unseen = true;
    this.#parts.sender.confirm(attached.durableCounter);
    this.#parts.changed.notify();
  }

  /** Another process is the job's trainer now. */
  detached(): void {
    this.#lost = true;
    this.#parts.changed.notify();
  }

  /** Asks to stop at the next step boundary. */
  stop(): void {
    this.#stopping = true;
    this.#parts.changed.notify();
  }

  /** Resolves when the job has ended here, was taken over, or the agent was stopped with its state saved. */
  async run(): Promise<"ended" | "detached" | "stopped"> {
    const { journal, reporter } = this.#parts;
    // A trainer that is started again is to go on.
    if (journal.state.status === "failed") await journal.write({ status: "running" });
    const { outcome, status } = journal.state;
    if (outcome && !outcome.acknowledged) {
      if (status === "running") reporter.hold({ opensSegment: outcome.applied?.startStep !== undefined });
      this.#acknowledge(outcome);
    }
    if (!this.#hasEnded()) await this.#goOn().catch((error: unknown) => this.#fail(error));
    while (!this.#isToEnd() && !this.#hasEnded()) await this.#turn().catch((error: unknown) => this.#endWith(error));
    if (this.#stopping && !this.#lost) await this.#saveForLater();
    else await this.#parts.workload.release();
    return this.#lost ? "detached" : this.#hasEnded() ? "ended" : "stopped";
  }

  #isToEnd(): boolean {
    return this.#stopping || this.#lost;
  }

  #hasEnded(): boolean {
    return this.#parts.journal.state.status === "ended" && !this.#acknowledging && !this.#answer;
  }

  /** One pass of the loop: whatever is most urgent. */
  async #turn(): Promise<void> {
    const { workload, journal, queue, pruned, changed } = this.#parts;
    await pruned.discard(workload, journal.state);
    if (this.#answer) return this.#settle(this.#answer);
    if (this.#unseen && !this.#acknowledging) return this.#greet();
    const waiting = this.#acknowledging ? undefined : queue.take();
    if (waiting) return this.#continueTrace(waiting);
    if (journal.state.status === "running") return this.#advance();
    if (journal.state.status === "complete" && !this.#acknowledging && (await this.#complete())) return;
    await changed.wait(restedMs);
  }

  /** After each attachment: what the platform does not know yet. */
  async #greet(): Promise<void> {
    const { workload, link, journal } = this.#parts;
    const attached = this.#attached;
    this.#unseen = false;
    this.#unansweredEnd = undefined;
    if (!attached) return;
    const state = attached.job?.state ?? JobState.UNSPECIFIED;
    if (state === JobState.COMPLETED || state === JobState.ABORTED) return journal.write({ status: "ended" });
    await this.#learnDatasets();
    if (attached.setBack) await this.#setBack(attached);
    this.#parts.pruned.addFrom(attached);
    const known = new Set(attached.checkpoints.map(({ id }) => id));
    const unknown = workload.checkpoints().filter(({ id }) => !known.has(id));
    for (const checkpoint of unknown) await link.registerCheckpoint(checkpoint);
    if (journal.state.status === "new") return this.#begin(attached);
    for (const missed of missedStates(journal.state.status, state)) await link.reportState(missed);
  }

  /** The platform was restored from a backup and knows less than this process: what it knows is what counts. */
  async #setBack({ epoch, activeSegment, job }: Attached): Promise<void> {
    const { journal, reporter, workload, log } = this.#parts;
    const line = `the platform no longer knows command ${journal.state.lastSequence}: following the platform`;
    log(line);
    reporter.log(line);
    // Before the journal: a process that dies in between is told again that the platform was set back.
    reporter.follow(activeSegment);
    await journal.write({ ...nothingFinished, epoch, segment: activeSegment });
    const { status, position } = journal.state;
    const paused = job?.state === JobState.PAUSED;
    if (paused && status === "running") {
      await saveCheckpoint(this.#parts, {});
      await workload.release();
      await journal.write({ status: "paused" });
    }
    if (!paused && status === "paused") {
      // Before it is prepared: the next process is not told again that the platform was set back.
      await journal.write({ status: "running" });
      await this.#prepare(position);
    }
  }

  /** What an earlier process has begun goes on. */
  async #goOn(): Promise<void> {
    const { workload, journal, datasets } = this.#parts;
    const { configuration, status, position } = journal.state;
    if (!configuration) return;
    await this.#learnDatasets();
    if (this.#isToEnd()) return;
    workload.configure(configuration, datasets);
    if (status === "running") await this.#prepare(position);
  }

  /**
   * Asks the platform where the journal does not say which data the run reads: an earlier version of this trainer has written it, or
   * one of the platform has answered. What a run reads never changes.
   */
  async #learnDatasets(): Promise<void> {
    const { journal, changed } = this.#parts;
    if (journal.state.datasets) return;
    while (!this.#attached && !this.#isToEnd()) await changed.wait(restedMs);
    if (this.#attached?.datasetsTold) await journal.write({ datasets: this.#attached.datasets.map(runDatasetOf) });
  }

  async #begin({ job, epoch, overrides }: Attached): Promise<void> {
    const { workload, link, journal, reporter, datasets } = this.#parts;
    const configuration: object = JSON.parse(job?.job?.configuration?.text || "{}");
    try {
      workload.configure(configuration, datasets);
    } catch (error) {
      await journal.write({ status: "failed", configuration });
      await link.reportState(JobState.FAILED, { detail: `the configuration is wrong: ${messageOf(error)}` });
      return;
    }
    await link.reportState(JobState.PREPARING);
    reporter.phase(LifecyclePhase.QUEUED, PhaseStatus.COMPLETED);
    const position = { ...journal.state.position, ...startUnder(overrides?.text) };
    // Before it is prepared: a process that comes after a failure is to be configured.
    await journal.write({ configuration, position, epoch: Math.max(epoch, journal.state.epoch) });
    try {
      await this.#prepare(position);
    } catch (error) {
      return this.#fail(error);
    }
    await journal.write({ status: "running" });
    await link.reportState(JobState.RUNNING);
  }

  async #prepare(position: StartingPoint): Promise<void> {
    const { workload, reporter, log } = this.#parts;
    reporter.phase(LifecyclePhase.PREPARING, PhaseStatus.RUNNING);
    await workload.prepare(position);
    reporter.phase(LifecyclePhase.PREPARING, PhaseStatus.COMPLETED);
    reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.RUNNING);
    log(`training from step ${workload.step}`);
  }

  async #advance(): Promise<void> {
    const { workload, journal, reporter, pace } = this.#parts;
    await setImmediate();
    // What a crash has lost is trained again as fast as it goes.
    if (!reporter.hasReported(workload.step + 1)) await pace.wait();
    for (const change of journal.state.position.changes)
      if (change.step === workload.step) workload.change(change.overrides);
    try {
      const { complete } = await this.#step();
      if (complete) await journal.write({ status: "complete" });
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #step(): Promise<Progress> {
    const { workload, reporter } = this.#parts;
    const progress = await workload.takeStep({
      point: (metric, value) => reporter.point(metric, value),
      ...showing(this.#parts.show),
      evaluating: (underWay) =>
        underWay
          ? reporter.phase(LifecyclePhase.EVALUATING, PhaseStatus.RUNNING)
          : trainingAgain(reporter, LifecyclePhase.EVALUATING),
    });
    this.#lastStepAt = performance.now();
    // Before the points of the step are reported: a reader who sees a best value can then name its checkpoint.
    if (progress.checkpoint && !this.#acknowledging) await saveCheckpoint(this.#parts, progress.checkpoint);
    reporter.commit(workload.step);
    return progress;
  }

  /** Data that is not there because this trainer is to end is no failure: the next process does again what needs it. */
  async #gaveUp(error: unknown): Promise<boolean> {
    if (!this.#isToEnd() || ConnectError.from(error).code !== Code.Canceled) return false;
    // What is loaded may be a part of something: it is not saved.
    await this.#parts.workload.release();
    this.#parts.reporter.undo();
    return true;
  }

  async #endWith(error: unknown): Promise<void> {
    if (!(await this.#gaveUp(error))) throw error;
  }

  async #fail(error: unknown): Promise<void> {
    if (await this.#gaveUp(error)) return;
    const { workload, journal, link, reporter, log } = this.#parts;
    log(`training failed: ${messageOf(error)}`);
    reporter.log(`failed: ${messageOf(error)}`);
    reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.FAILED);
    await workload.release();
    await journal.write({ status: "failed" });
    await link.reportState(JobState.FAILED, { detail: messageOf(error).slice(0, 4_096) });
  }

  /** The trace of the request that asked for the command goes on here, and from here to its acknowledgement. */
  #continueTrace(waiting: WaitingCommand): Promise<void> {
    const action = TrainingControlAction[waiting.command.action].toLowerCase();
    const parent = traceOf(waiting.traceparent);
    const { tracer } = this.#parts;
    return inSpan({ tracer, name: `apply ${action}`, kind: SpanKind.CONSUMER, parent }, () => this.#apply(waiting));
  }

  async #apply(waiting: WaitingCommand): Promise<void> {
    const { journal } = this.#parts;
    const before = journal.state;
    const { id: commandId, sequence } = waiting.command;
    if (before.outcome?.commandId === commandId) return this.#acknowledge(before.outcome);
    if (sequence <= before.lastSequence) return;
    this.#unansweredEnd = undefined;
    const outcome: Outcome = { commandId, sequence, acknowledged: false };
    const epoch = Math.max(before.epoch, waiting.epoch);
    try {
      const effect = await this.#effectOf(waiting);
      outcome.applied = effect.applied;
      await journal.write({ ...standingOf(effect), epoch, outcome, undo: effect.undo ?? standingOf(before) });
    } catch (error) {
      if (await this.#gaveUp(error)) return;
      outcome.refused = messageOf(error);
      // A refusal has changed nothing; after any other failure the effect is unknown.
      if (!(error instanceof RefusedError)) await this.#backTo(before);
      await journal.write({ epoch, outcome, undo: undefined });
    }
    this.#acknowledge(outcome);
  }

  async #effectOf(waiting: WaitingCommand): ReturnType<typeof applyCommand> {
    const { workload, publish, link, reporter, journal, sender } = this.#parts;
    // Between the first step of a new segment and its acknowledgement no checkpoint can be placed in a segment.
    const step = async () => {
      this.#acknowledging = true;
      await this.#step().finally(() => {
        this.#acknowledging = false;
      });
    };
    const flush = () => sender.flush(farewellMs);
    return applyCommand(waiting, { workload, publish, link, reporter, before: journal.state, step, flush });
  }

  /** Tells the outcome until the platform has answered; training goes on meanwhile. */
  #acknowledge(outcome: Outcome): void {
    const { link, changed } = this.#parts;
    this.#acknowledging = true;
    void link.acknowledge(outcome).then((answer) => {
      if (answer) this.#answer = { outcome, answer };
      changed.notify();
    });
  }

  async #settle({ outcome, answer }: { outcome: Outcome; answer: Acknowledgement }): Promise<void> {
    const { journal, reporter, link, log } = this.#parts;
    const finished = {
      lastSequence: Math.max(journal.state.lastSequence, outcome.sequence),
      lastCommandId: outcome.commandId,
    };
    if (answer.case !== "recorded") {
      const { undo } = journal.state;
      const unknown = answer.case === "unknown";
      log(`command ${outcome.sequence} was ${unknown ? "forgotten" : `decided otherwise (${answer.why})`}: undone`);
      // A platform that was restored from a backup will give its sequence to another command.
      await journal.write({ ...undo, ...(unknown ? {} : finished), outcome: undefined, undo: undefined });
      reporter.undo();
      if (undo) await this.#backTo(undo);
    } else {
      log(`command ${outcome.sequence} ${outcome.refused === undefined ? "applied" : `refused: ${outcome.refused}`}`);
      const settled = { ...outcome, acknowledged: true };
      await journal.write({ segment: answer.segment, ...finished, outcome: settled, undo: undefined });
      reporter.settle(answer.segment);
      this.#parts.beat();
      const running = journal.state.status === "running";
      if (running && answer.state !== JobState.RUNNING) await link.reportState(JobState.RUNNING);
    }
    this.#acknowledging = false;
    this.#answer = undefined;
  }

  /** Makes what is loaded agree with a standing again. */
  async #backTo({ status, position }: ReturnType<typeof standingOf>): Promise<void> {
    const { workload, reporter } = this.#parts;
    reporter.undo();
    if (status === "running") await this.#prepare(position);
    else if (workload.devices.length > 0) await workload.release();
  }

  /** The schedule has run out. Returns whether the platform knows. */
  async #complete(): Promise<boolean> {
    const { workload, link, journal } = this.#parts;
    if (!link.connected || !(workload.best() || workload.leavesNothing)) return false;
    this.#unansweredEnd ??= await this.#publishBest();
    if (!this.#unansweredEnd || !(await link.reportState(JobState.COMPLETED, this.#unansweredEnd))) return false;
    await journal.write({ status: "ended" });
    return true;
  }

  /** The best checkpoint is the result, where there is to be one. Returns what to tell with the end; undefined: not stored. */
  async #publishBest(): Promise<{ artifact?: PublishedArtifact; detail?: string } | undefined> {
    const { workload, publish, link, reporter, log } = this.#parts;
    const best = workload.best();
    await link.reportState(JobState.FINISHING);
    reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.COMPLETED);
    reporter.phase(LifecyclePhase.FINALIZING, PhaseStatus.RUNNING);
    let artifact: PublishedArtifact | undefined;
    try {
      artifact = best && (await publish(best.id));
    } catch (error) {
      if (!(error instanceof ConnectError)) await this.#fail(error);
      else log(`the result is stored later: ${error.message}`);
      return undefined;
    }
    reporter.phase(LifecyclePhase.FINALIZING, PhaseStatus.COMPLETED);
    // The end is announced with the newest metrics: they have to be there before.
    await this.#parts.sender.flush(lastReportsMs);
    return artifact ? { artifact, detail: `published ${artifact.uri}` } : {};
  }

  async #saveForLater(): Promise<void> {
    const { workload, journal, reporter, sender, log } = this.#parts;
    // Nothing is loaded where the start was given up.
    if (journal.state.status === "running" && workload.devices.length > 0 && !this.#acknowledging) {
      await saveCheckpoint(this.#parts, {});
      reporter.log(`stopped at step ${workload.step}; goes on from there`);
      log(`saved at step ${workload.step}`);
    }
    await workload.release();
    await Promise.race([sender.flush(farewellMs), setTimeout(farewellMs)]);
  }
}
