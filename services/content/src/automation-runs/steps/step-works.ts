import type { StepType } from "../../automations/step-kinds.ts";
import type { StepWork } from "../step.ts";
import { deploy } from "./deploy.ts";
import { dictionary } from "./dictionary.ts";
import { email } from "./email.ts";
import { prompt } from "./prompt.ts";
import { train } from "./train.ts";

/** How each kind of step is carried out. */
export const stepWorks: Readonly<Record<StepType, StepWork>> = { prompt, dictionary, email, train, deploy };
