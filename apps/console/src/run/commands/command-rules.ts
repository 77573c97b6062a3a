import type { Command, CommandAction, OverrideDeclaration } from "../../api/platform.ts";

type OverrideClass = OverrideDeclaration["class"];

/** What a command is, for people. */
export interface CommandRule {
  action: CommandAction;
  label: string;
  effect: string;
  /** States of the job in which it is taken, as the reference of training commands says. */
  states: ReadonlySet<string>;
  /** Classes of overrides that it takes. */
  overrides: readonly OverrideClass[];
  /** Whether a checkpoint can be named, and what is used where none is. */
  checkpoint?: string;
  /** Whether it cannot be undone. */
  isFinal?: boolean;
}

const begun = ["running", "held", "pausing", "paused"];

/** All commands in the order of their buttons. */
export const commandRules: readonly CommandRule[] = [
  {
    action: "pause",
    label: "Pause",
    effect: "Saves at the next step, then releases the devices.",
    states: new Set(["queued", "preparing", "running", "held", "restoring"]),
    overrides: [],
  },
  {
    action: "resume",
    label: "Resume",
    effect: "Goes on from the checkpoint of the pause, with the full state.",
    states: new Set(["pausing", "paused"]),
    overrides: ["hot", "resources"],
  },
  {
    action: "continue",
    label: "Change settings",
    effect: "Changes settings at the next step; a job on hold goes on.",
    states: new Set(["running", "held"]),
    overrides: ["hot"],
  },
  {
    action: "rollback",
    label: "Roll back",
    effect: "Restores the full state of a checkpoint and opens a new segment. Later points are archived.",
    states: new Set([...begun, "failed"]),
    overrides: ["hot"],
    checkpoint: "The newest before the head of the segment",
  },
  {
    action: "warm_restart",
    label: "Warm restart",
    effect: "Restores the weights alone and opens a new segment.",
    states: new Set([...begun, "failed"]),
    overrides: ["hot", "cold", "resources"],
    checkpoint: "The best, or the newest",
  },
  {
    action: "finish_from_checkpoint",
    label: "Finish",
    effect: "Publishes a checkpoint as the result. The job ends completed.",
    states: new Set([...begun, "failed"]),
    overrides: [],
    checkpoint: "The best, or the newest",
    isFinal: true,
  },
  {
    action: "abort",
    label: "Abort",
    effect: "Stops now, without a result. Checkpoints stay.",
    states: new Set(["queued", "preparing", ...begun, "restoring", "finishing"]),
    overrides: [],
    isFinal: true,
  },
];

const labels = new Map(commandRules.map(({ action, label }) => [action, label]));

/** A command's name for people. */
export function commandLabel(action: Command["action"]): string {
  return labels.get(action) ?? action;
}

/** Why a job in this state does not take the command; undefined when it does. */
export function commandObjection({ states, label }: CommandRule, state: string): string | undefined {
  return states.has(state) ? undefined : `${label} is not possible while the job is ${state}.`;
}

/** What an override's text means, as its declaration types it. */
export type OverrideReading = { value: unknown } | { problem: string };

/** Reads what was typed for an override. The platform checks it again. */
export function readOverride({ type, minimum, maximum }: OverrideDeclaration, text: string): OverrideReading {
  if (type === "boolean") return { value: text === "true" };
  if (type === "string") return { value: text };
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return { problem: "must be a number" };
  if (type === "integer" && !Number.isInteger(number)) return { problem: "must be a whole number" };
  if (minimum !== null && number < minimum) return { problem: `must be at least ${minimum}` };
  if (maximum !== null && number > maximum) return { problem: `must be at most ${maximum}` };
  return { value: number };
}
