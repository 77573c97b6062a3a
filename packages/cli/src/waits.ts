import {
  answerOf,
  type PlatformClient,
  PlatformError,
  settledAutomationRun,
  settledCommand,
  settledDeployment,
  settledSending,
} from "@aiplatform/client";
import type { Operation } from "@aiplatform/client/operations";
import { CommandRejectedError, WaitFailedError } from "./exit-codes.ts";

export interface WaitParts {
  platform: PlatformClient;
  /** What the operation was called with. */
  values: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

/** What came of it: what to print, and why it is a failure if it is one. */
export interface WaitOutcome {
  value: unknown;
  failure?: Error;
}

type Wait = (parts: WaitParts, answer: unknown) => Promise<WaitOutcome>;

/** How to wait until what an operation began has ended, by operation. */
const waits: Readonly<Record<string, Wait>> = {
  createTrainingControlCommand: settleCommand,
  createDeployment: (parts, answer) => settleRollout(parts, text(answer, "id")),
  createCustomServingDeployment: settleAnsweredRollout,
  startRollout: settleAnsweredRollout,
  updateCustomServingDeployment: settleAnsweredRollout,
  rollBackDeployment: settleAnsweredRollout,
  promoteDeployment: settleAnsweredRollout,
  startDeployment: settleAnsweredRollout,
  stopDeployment: async ({ platform, signal }, answer) => ({
    value: await settledDeployment(platform, { deployment_id: text(answer, "id") }, { signal, stopping: true }),
  }),
  sendEmailDraft: async (_, answer) => ({ value: answer, ...sendingFailure(answer) }),
  startAutomationRun: settleRun,
};

/** Refusals that say that it is under way, and how to follow it, by operation. */
const underWay: Readonly<Record<string, (parts: WaitParts) => Promise<WaitOutcome>>> = {
  sendEmailDraft: async ({ platform, values, signal }) => {
    const value = await settledSending(platform, { draft_id: String(values["draft_id"]) }, { signal });
    return { value, ...sendingFailure(value) };
  },
};

/** Whether there is something to wait for. */
export function canWait({ id }: Operation): boolean {
  return id in waits;
}

/** What an answer says when nothing is waited for: a command may be rejected at once. */
export function outcomeOf({ id }: Operation, answer: unknown): WaitOutcome {
  return id === "createTrainingControlCommand" ? commandOutcome(answer) : { value: answer };
}

/** Waits until what was begun has ended. */
export async function settled({ id }: Operation, parts: WaitParts, answer: unknown): Promise<WaitOutcome> {
  return (await waits[id]?.(parts, answer)) ?? { value: answer };
}

/** Waits for what was refused because it is under way already. @throws the refusal when it is another */
export async function settledUnderWay({ id }: Operation, parts: WaitParts, refusal: unknown): Promise<WaitOutcome> {
  const follow = refusal instanceof PlatformError && refusal.status === 409 ? underWay[id] : undefined;
  if (!follow || !(await isBeingSent(parts))) throw refusal;
  return follow(parts);
}

async function isBeingSent({ platform, values, signal }: WaitParts): Promise<boolean> {
  const params = { path: { draft_id: String(values["draft_id"]) } };
  const { status } = answerOf(await platform.GET("/platform/email-drafts/{draft_id}", { params, signal }));
  return status === "sending";
}

async function settleCommand({ platform, values, signal }: WaitParts, answer: unknown): Promise<WaitOutcome> {
  const command = {
    pipeline_id: String(values["pipeline_id"]),
    run_id: String(values["run_id"]),
    job_name: String(values["job_name"]),
    command_id: text(answer, "id"),
  };
  return commandOutcome(await settledCommand(platform, command, { signal }));
}

/** What a command of a job came to. */
function commandOutcome(value: unknown): WaitOutcome {
  if (member(value, "status") !== "rejected") return { value };
  return { value, failure: new CommandRejectedError(`rejected: ${member(value, "detail") ?? "without a reason"}`) };
}

function settleAnsweredRollout(parts: WaitParts, answer: unknown): Promise<WaitOutcome> {
  return settleRollout(parts, text(answer, "id"), text(answer, "rollout_request_id"));
}

async function settleRollout(
  { platform, signal }: WaitParts,
  deployment_id: string,
  rollout_request_id?: string,
): Promise<WaitOutcome> {
  const rollout = { deployment_id, ...(rollout_request_id && { rollout_request_id }) };
  const value = await settledDeployment(platform, rollout, { signal });
  if (rollout_request_id && value.rollout_request_id !== rollout_request_id)
    return { value, failure: new CommandRejectedError("superseded by another rollout") };
  if (value.rollout_status === "Succeeded") return { value };
  return {
    value,
    failure: new WaitFailedError(`${value.rollout_status}: ${value.rollout_error ?? "without a reason"}`),
  };
}

async function settleRun({ platform, signal }: WaitParts, answer: unknown): Promise<WaitOutcome> {
  const value = await settledAutomationRun(platform, { run_id: text(answer, "id") }, { signal });
  if (value.status === "succeeded") return { value };
  return { value, failure: new WaitFailedError(`${value.status}: ${value.error ?? "without a reason"}`) };
}

function sendingFailure(answer: unknown): { failure?: Error } {
  const failed = member(answer, "failed_count");
  return failed === 0 ? {} : { failure: new WaitFailedError(`${failed} of the recipients were not reached`) };
}

function text(answer: unknown, name: string): string {
  return String(member(answer, name) ?? "");
}

function member(answer: unknown, name: string): unknown {
  return typeof answer === "object" && answer !== null
    ? Object.getOwnPropertyDescriptor(answer, name)?.value
    : undefined;
}
