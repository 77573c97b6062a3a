import type { Logger } from "@aiplatform/service-host";
import type { Automation, Step, Version } from "../automations/automation.ts";
import { isStepType } from "../automations/step-kinds.ts";
import { parseJsonObject } from "../json-object.ts";
import { type AutomationRun, causeOf, longestRunMs, type StepRun } from "./automation-run.ts";
import { boundedOutput } from "./bounded-output.ts";
import { carryOut } from "./carry-out.ts";
import { endRun } from "./end-run.ts";
import { nextMove } from "./next-move.ts";
import type { StepDependencies, StepOutcome } from "./step.ts";
import { isTemporary, messageOf, nextTryMs } from "./step-failure.ts";

/** What carrying runs out needs. */
export interface RunWalkerParts {
  dependencies: StepDependencies;
  logger: Pick<Logger, "warn">;
  /** Pause before a step that failed through no fault of its own is tried again, ms; each further one is twice as long. */
  retryMs: number;
  /** Counts how a run ended that was carried out to its end. */
  ended: (status: "succeeded" | "failed") => void;
}

/** Another process has taken the run over, or it was ended: it is not this one's to go on with. */
export class RunLostError extends Error {
  override name = "RunLostError";
  constructor() {
    super("the run is another's to go on with, or has ended");
  }
}

/** How often a step is begun at most. */
const mostAttempts = 20;
const usualLookAgainMs = 30_000;
const longestError = 2_000;

/** Carries one run out, step by step, as its holder: what a step is about to do is stored before, and what it did after. */
export class RunWalker {
  readonly #parts: RunWalkerParts;
  readonly #holder: string;
  readonly #signal: AbortSignal;
  #run: AutomationRun;

  constructor(parts: RunWalkerParts, run: AutomationRun, { holder, signal }: { holder: string; signal: AbortSignal }) {
    this.#parts = parts;
    this.#run = run;
    this.#holder = holder;
    this.#signal = signal;
  }

  /** Resolves at the end of the run, when it waits, or when the signal is given. Rejects with RunLostError. */
  async walk(): Promise<void> {
    const { automations, automationVersions } = this.#parts.dependencies;
    const { organisationId, automationId, versionId } = this.#run;
    const automation = await automations.find(organisationId, automationId);
    const version = await automationVersions.find(organisationId, versionId);
    if (!automation || !version) return this.#end("failed", "The automation is gone");
    while (!this.#signal.aborted && (await this.#move(automation, version)));
  }

  /** Answers whether the run goes on at once. */
  async #move(automation: Automation, version: Version): Promise<boolean> {
    const { dependencies } = this.#parts;
    const move = nextMove(version, this.#run.steps);
    if (move.kind === "end") {
      await this.#end(move.status, move.error);
      return false;
    }
    const age = dependencies.clock().getTime() - this.#run.createdAt.getTime();
    if (age > longestRunMs) {
      await this.#end("failed", "The run took longer than 30 days");
      return false;
    }
    const stepRun = move.kind === "begin" ? this.#newStepRun(move.step) : again(move.stepRun);
    if (move.kind === "begin") this.#run = { ...this.#run, steps: [...this.#run.steps, stepRun] };
    if (stepRun.attempts > mostAttempts) {
      await this.#endStep(stepRun, { status: "failed", error: stepRun.error ?? `It was begun ${mostAttempts} times` });
      return true;
    }
    // A step that waits is looked at once more, not begun once more.
    if (stepRun.status === "running") await this.#save(stepRun, "running");
    return this.#try(stepRun, { automation, version, step: move.step });
  }

  async #try(stepRun: StepRun, place: { automation: Automation; version: Version; step: Step }): Promise<boolean> {
    try {
      const outcome = await carryOut(this.#parts.dependencies, {
        ...place,
        run: this.#run,
        stepRun,
        cause: causeOf(this.#run),
        signal: this.#signal,
      });
      return await this.#settle(stepRun, outcome);
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      if (this.#signal.aborted) return false;
      if (isTemporary(error)) return await this.#tryLater(stepRun, error);
      const message = messageOf(error);
      if (message === undefined)
        this.#parts.logger.warn({ err: error, run_id: this.#run.id }, "a step failed unexpectedly");
      await this.#endStep(stepRun, {
        status: "failed",
        error: (message ?? "It failed unexpectedly").slice(0, longestError),
      });
      return true;
    }
  }

  async #settle(stepRun: StepRun, outcome: StepOutcome): Promise<boolean> {
    if (!("waitsFor" in outcome)) {
      const { output, label } = outcome;
      await this.#endStep(stepRun, { status: "succeeded", output: boundedOutput(output, this.#run.steps), label });
      return true;
    }
    const { waitsFor, state, lookAgainMs = usualLookAgainMs } = outcome;
    await this.#save({ ...stepRun, status: "waiting", state: JSON.stringify(state) }, "waiting");
    await this.#release(lookAgainMs, waitsFor);
    return false;
  }

  /** The step counts as begun until then: what it did is not known. */
  async #tryLater(stepRun: StepRun, error: unknown): Promise<boolean> {
    const { retryMs } = this.#parts;
    const status = stepRun.status === "waiting" ? "waiting" : "running";
    const text = (messageOf(error) ?? "It is not available now").slice(0, longestError);
    await this.#save({ ...stepRun, error: text }, status);
    await this.#release(nextTryMs(stepRun.attempts, retryMs));
    return false;
  }

  #newStepRun({ id: stepId, key, name, promptTemplate }: Step): StepRun {
    const type = parseJsonObject(promptTemplate)?.["type"];
    const nothing = { label: undefined, output: undefined, error: undefined, state: undefined, endedAt: undefined };
    const startedAt = this.#parts.dependencies.clock();
    return {
      stepId,
      key,
      name,
      type: isStepType(type) ? type : "",
      status: "running",
      attempts: 1,
      ...nothing,
      startedAt,
    };
  }

  async #endStep(
    stepRun: StepRun,
    end: Pick<StepRun, "status"> & Partial<Pick<StepRun, "output" | "label" | "error">>,
  ) {
    const { output, label, error, status } = end;
    const endedAt = this.#parts.dependencies.clock();
    await this.#save({ ...stepRun, status, output, label, error, state: undefined, endedAt }, "running");
  }

  async #save(stepRun: StepRun, status: AutomationRun["status"]): Promise<void> {
    this.#run = { ...this.#run, status, steps: [...this.#run.steps.slice(0, -1), stepRun] };
    const { automationRuns } = this.#parts.dependencies;
    if (!(await automationRuns.saveStep(this.#run, this.#holder))) throw new RunLostError();
  }

  async #release(afterMs: number, waitsFor?: string): Promise<void> {
    const { automationRuns, clock } = this.#parts.dependencies;
    const dueAt = new Date(clock().getTime() + afterMs);
    await automationRuns.release(this.#run, this.#holder, { dueAt, ...(waitsFor === undefined ? {} : { waitsFor }) });
  }

  async #end(status: "succeeded" | "failed", error?: string): Promise<void> {
    const { dependencies } = this.#parts;
    const wanted = { status, error: error?.slice(0, longestError), holder: this.#holder, cause: causeOf(this.#run) };
    const ended = await dependencies.transaction((session) => endRun(dependencies, this.#run, wanted, session));
    if (!ended) throw new RunLostError();
    this.#parts.ended(status);
    await dependencies.automationRuns.prune(ended.organisationId, ended.automationId);
  }
}

/** The step once more: one that waits goes on, any other is begun once more. */
function again(stepRun: StepRun): StepRun {
  return stepRun.status === "waiting" ? stepRun : { ...stepRun, status: "running", attempts: stepRun.attempts + 1 };
}
