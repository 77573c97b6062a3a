import type { StepHandler } from "../step-handler.ts";
import { dataset } from "./dataset.ts";
import { deploy } from "./deploy.ts";
import { dictionary } from "./dictionary.ts";
import { email } from "./email.ts";
import { embed } from "./embed.ts";
import { prompt } from "./prompt.ts";
import { train } from "./train.ts";

/** The types of steps, by the word that stands as `type` in a step's JSON. A new one is a file beside this and a word here. */
export const stepHandlers = { prompt, dictionary, email, train, deploy, dataset, embed } satisfies Readonly<
  Record<string, StepHandler>
>;

export type StepType = keyof typeof stepHandlers;

export function isStepType(type: unknown): type is StepType {
  return typeof type === "string" && Object.hasOwn(stepHandlers, type);
}
