import { LeaseLostError } from "@aiplatform/document-store";
import type { Logger } from "@aiplatform/service-host";
import { isStepType } from "../automation-steps/step-handlers/step-handlers.ts";
import type { StepOutcome } from "../automation-steps/step-outcome.ts";
import type { Automation, Step, Version } from "../automations/automation.ts";
import type { AutomationStore } from "../automations/automation-store.ts";
import type { AutomationVersionStore } from "../automations/automation-version-store.ts";
import type { KeepScheduleDependencies } from "../automations/keep-schedule.ts";
import { parseJsonObject } from "../json-object.ts";
import type { OperationContext } from "../operation-context.ts";
import { type AutomationRun, causeOf, maxRunMs, type StepRun } from "./automation-run.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";
import { boundedOutput } from "./bounded-output.ts";
import { completeRun } from "./complete-run.ts";
import { executeStep, type StepExecutionDependencies } from "./execute-step.ts";
import { nextTransition } from "./next-transition.ts";
import { isTemporary, messageOf, retryPauseMs } from "./step-failure.ts";

export interface RunExecutorDependencies
  extends Pick<OperationContext, "outbox" | "transaction" | "clock">,
    StepExecutionDependencies,
    KeepScheduleDependencies {
  automations: AutomationStore;
  automationVersions: Pick<AutomationVersionStore, "find">;
  automationRuns: AutomationRunStore;
  logger: Pick<Logger, "warn">;
  /** Counts a run that was executed to its end. */
  ended: (status: "succeeded" | "failed") => void;
}

export interface RunExecutorOptions {
  /** Pause before a step that failed through no fault of its own is tried again, ms; each further one is twice as long. */
  retryMs: number;
}

/** How often a step is begun. */
const maxAttempts = 20;
const defaultPollMs = 30_000;
const maxErrorLength = 2_000;

/** Executes one run, step by step, as its holder: what a step is about to do is stored before, and what it did after. */
export class RunExecutor {
  readonly #dependencies: RunExecutorDependencies;
  readonly #holder: string;
  readonly #signal: AbortSignal;
  readonly #retryMs: number;
  #run: AutomationRun;

  constructor(
    dependencies: RunExecutorDependencies,
    run: AutomationRun,
    { holder, signal, retryMs }: RunExecutorOptions & { holder: string; signal: AbortSignal },
  ) {
    this.#dependencies = dependencies;
    this.#run = run;
    this.#holder = holder;
    this.#signal = signal;
    this.#retryMs = retryMs;
  }

  /** Resolves at the end of the run, when it waits, or when the signal is given. @throws LeaseLostError */
  async execute(): Promise<void> {
    const { automations, automationVersions } = this.#dependencies;
    const { organisationId, automationId, versionId } = this.#run;
    const automation = await automations.find(organisationId, automationId);
    const version = await automationVersions.find(organisationId, versionId);
    if (!automation || !version) return this.#complete("failed", "The automation is gone");
    while (!this.#signal.aborted && (await this.#advance(automation, version)));
  }

  /** Answers whether the run goes on at once. */
  async #advance(automation: Automation, version: Version): Promise<boolean> {
    const next = nextTransition(version, this.#run.steps);
    if (next.kind === "complete") {
      await this.#complete(next.status, next.error);
      return false;
    }
    const age = this.#dependencies.clock().getTime() - this.#run.createdAt.getTime();
    if (age > maxRunMs) {
      await this.#complete("failed", "The run took longer than 30 days");
      return false;
    }
    const stepRun = next.kind === "start" ? this.#newStepRun(next.step) : again(next.stepRun);
    if (next.kind === "start") this.#run = { ...this.#run, steps: [...this.#run.steps, stepRun] };
    if (stepRun.attempts > maxAttempts) {
      await this.#endStep(stepRun, { status: "failed", error: stepRun.error ?? `It was begun ${maxAttempts} times` });
      return true;
    }
    // A step that waits is polled once more, not begun once more.
    if (stepRun.status === "running") await this.#save(stepRun, "running");
    return this.#attempt(stepRun, { automation, version, step: next.step });
  }

  async #attempt(stepRun: StepRun, place: { automation: Automation; version: Version; step: Step }): Promise<boolean> {
    const run = this.#run;
    try {
      const execution = { ...place, run, stepRun, cause: causeOf(run), signal: this.#signal };
      return await this.#settle(stepRun, await executeStep(this.#dependencies, execution));
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (this.#signal.aborted) return false;
      if (isTemporary(error)) return await this.#retryLater(stepRun, error);
      const message = messageOf(error);
      if (message === undefined)
        this.#dependencies.logger.warn({ err: error, run_id: run.id }, "a step failed unexpectedly");
      const text = (message ?? "It failed unexpectedly").slice(0, maxErrorLength);
      await this.#endStep(stepRun, { status: "failed", error: text });
      return true;
    }
  }

  async #settle(stepRun: StepRun, outcome: StepOutcome): Promise<boolean> {
    if (!("waitsFor" in outcome)) {
      const { output, label } = outcome;
      await this.#endStep(stepRun, { status: "succeeded", output: boundedOutput(output, this.#run.steps), label });
      return true;
    }
    const { waitsFor, state, pollMs = defaultPollMs } = outcome;
    await this.#save({ ...stepRun, status: "waiting", state: JSON.stringify(state) }, "waiting");
    await this.#release(pollMs, waitsFor);
    return false;
  }

  /** The step counts as begun until then: what it did is not known. */
  async #retryLater(stepRun: StepRun, error: unknown): Promise<boolean> {
    const status = stepRun.status === "waiting" ? "waiting" : "running";
    const text = (messageOf(error) ?? "It is not available now").slice(0, maxErrorLength);
    await this.#save({ ...stepRun, error: text }, status);
    await this.#release(retryPauseMs(stepRun.attempts, this.#retryMs));
    return false;
  }

  #newStepRun({ id: stepId, key, name, promptTemplate }: Step): StepRun {
    const type = parseJsonObject(promptTemplate)?.["type"];
    const begun = { status: "running", attempts: 1, startedAt: this.#dependencies.clock() } as const;
    const nothing = { label: undefined, output: undefined, error: undefined, state: undefined, endedAt: undefined };
    return { stepId, key, name, type: isStepType(type) ? type : "", ...begun, ...nothing };
  }

  async #endStep(
    stepRun: StepRun,
    end: Pick<StepRun, "status"> & Partial<Pick<StepRun, "output" | "label" | "error">>,
  ) {
    const { output, label, error, status } = end;
    const endedAt = this.#dependencies.clock();
    await this.#save({ ...stepRun, status, output, label, error, state: undefined, endedAt }, "running");
  }

  async #save(stepRun: StepRun, status: AutomationRun["status"]): Promise<void> {
    this.#run = { ...this.#run, status, steps: [...this.#run.steps.slice(0, -1), stepRun] };
    const { automationRuns } = this.#dependencies;
    if (!(await automationRuns.saveStep(this.#run, this.#holder))) throw new LeaseLostError();
  }

  async #release(afterMs: number, waitsFor?: string): Promise<void> {
    const { automationRuns, clock } = this.#dependencies;
    const dueAt = new Date(clock().getTime() + afterMs);
    await automationRuns.release(this.#run, this.#holder, { dueAt, ...(waitsFor === undefined ? {} : { waitsFor }) });
  }

  async #complete(status: "succeeded" | "failed", error?: string): Promise<void> {
    const { automationRuns, transaction, ended } = this.#dependencies;
    const cause = causeOf(this.#run);
    const completion = { status, error: error?.slice(0, maxErrorLength), holder: this.#holder, cause };
    const run = await transaction((session) => completeRun(this.#dependencies, this.#run, completion, session));
    if (!run) throw new LeaseLostError();
    ended(status);
    await automationRuns.prune(run.organisationId, run.automationId);
  }
}

/** The step once more: one that waits goes on, any other is begun once more. */
function again(stepRun: StepRun): StepRun {
  return stepRun.status === "waiting" ? stepRun : { ...stepRun, status: "running", attempts: stepRun.attempts + 1 };
}
