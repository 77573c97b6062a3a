import {
  type AutomationRun,
  AutomationRunStatus,
  AutomationService,
  type AutomationStepRun,
  type MissedRunPolicy,
} from "@aiplatform/contract/aiplatform/content/v1/automations";
import type { TestClient } from "@aiplatform/testkit";
import { eventually } from "@aiplatform/testkit";
import type { Client } from "@connectrpc/connect";

/** Statuses after which a run stays as it is. */
const ends = [AutomationRunStatus.SUCCEEDED, AutomationRunStatus.FAILED, AutomationRunStatus.CANCELLED];

/** A step as written: its key, and what its JSON says. */
export interface WrittenStep {
  key: string;
  json: { type: string; [member: string]: unknown };
}

/** When an automation shall run. */
export interface WrittenSchedule {
  cron: string;
  timeZone?: string;
  missed?: MissedRunPolicy;
}

/** What an automation shall be. */
export interface WrittenAutomation {
  steps: WrittenStep[];
  /** `[from, label, to]`; by default each step leads to the next under `ok`. */
  transitions?: [source: string, label: string, target: string][];
  trigger?: { event: string; when?: string; schedule?: WrittenSchedule };
}

/** A prompt step. */
export const promptStep = (key: string, text = `Step ${key}`, more: Record<string, unknown> = {}): WrittenStep => ({
  key,
  json: { type: "prompt", text, ...more },
});

/** A caller that writes automations and runs them. */
export class AutomationClient {
  readonly client: Client<typeof AutomationService>;

  constructor(caller: TestClient) {
    this.client = caller.client(AutomationService);
  }

  /** Saves a draft of a new automation, and answers its id. */
  async written({ steps, transitions, trigger }: WrittenAutomation): Promise<string> {
    const { automation } = await this.client.createAutomation({ name: "Retrain" });
    const chain = steps.slice(1).map(({ key }, index) => [steps[index]?.key ?? "", "ok", key] as const);
    await this.client.saveAutomationDraft({
      automationId: automation?.id ?? "",
      steps: steps.map(({ key, json }) => ({
        key,
        name: `Step ${key}`,
        promptTemplate: { text: JSON.stringify(json) },
      })),
      stepTransitions: (transitions ?? chain).map(([source, label, target]) => ({ source, label, target })),
      ...(trigger ? { trigger: { when: "", ...trigger } } : {}),
    });
    return automation?.id ?? "";
  }

  /** Publishes a new automation, and answers its id. */
  async published(wanted: WrittenAutomation): Promise<string> {
    const automationId = await this.written(wanted);
    await this.client.publishAutomation({ automationId, ifMatch: "*" });
    return automationId;
  }

  /** Starts a run, and answers its id. */
  async started(automationId: string, input: unknown = {}): Promise<string> {
    const { run } = await this.client.startAutomationRun({ automationId, input: { text: JSON.stringify(input) } });
    return run?.id ?? "";
  }

  async run(runId: string): Promise<AutomationRun> {
    const { run } = await this.client.getAutomationRun({ runId });
    if (!run) throw new Error("the answer has no run");
    return run;
  }

  /** The run once it has ended. */
  async ended(runId: string): Promise<AutomationRun> {
    let run = await this.run(runId);
    await eventually(async () => {
      if (!ends.includes(run.status)) run = await this.run(runId);
      return ends.includes(run.status);
    });
    return run;
  }

  /** Starts a run and waits for its end. */
  async ran(automationId: string, input: unknown = {}): Promise<AutomationRun> {
    return this.ended(await this.started(automationId, input));
  }
}

/** What a step made. */
export const outputOf = (step: AutomationStepRun | undefined): unknown => JSON.parse(step?.output?.text ?? "null");
