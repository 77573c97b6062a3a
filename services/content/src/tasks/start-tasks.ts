import { InvalidFieldsError } from "@aiplatform/service-host";
import { type TaskRule, WorkerPool, type WorkerPoolConfig, type WorkerPoolOptions } from "@aiplatform/worker-pool";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import { ConditionError } from "../automations/condition.ts";
import { unreadable } from "../datasets/samples/unreadable-sample.ts";
import { TemplateError } from "../email-drafts/templates.ts";
import type { ContentTasks } from "./tasks.ts";

/** Bundled, the threads' program lies beside the service's. */
const extension = import.meta.filename.endsWith(".ts") ? "ts" : "js";
const program = new URL(`./content-task-thread.${extension}`, import.meta.url);

const template: TaskRule = {
  limitMs: 2_000,
  exceeded: (limit) => new TemplateError(`filling it in takes too much ${limit}`),
};

/** Limits are above what the engines stop by themselves: they end what the engines cannot. */
const rules: { readonly [N in keyof ContentTasks]: TaskRule } = {
  templateViolations: template,
  fillTemplate: template,
  fillTemplates: template,
  readDraft: {
    limitMs: 5_000,
    exceeded: (limit) => {
      const description = `Value error, reading the templates takes too much ${limit}: use fewer outputs and tags`;
      return new InvalidFieldsError([{ field: "steps", reason: "VERSION_TOO_LARGE", description }]);
    },
  },
  conditionHolds: { limitMs: 500, exceeded: (limit) => new ConditionError(`it takes too much ${limit}`) },
  fillStep: {
    limitMs: 2_000,
    exceeded: (limit) => new StepFailedError(`Filling in the templates takes too much ${limit}`),
  },
  readSample: { limitMs: 3_000, exceeded: (limit) => unreadable(`Reading it takes too much ${limit}`) },
};

/** Starts the worker threads for what takes long of a request or a run. */
export function startTasks(
  config: WorkerPoolConfig,
  observed: Pick<WorkerPoolOptions<ContentTasks>, "logger" | "meter">,
): WorkerPool<ContentTasks> {
  const errors = [InvalidFieldsError, TemplateError, ConditionError, StepFailedError];
  return new WorkerPool<ContentTasks>({ ...observed, config, program, rules, errors });
}
