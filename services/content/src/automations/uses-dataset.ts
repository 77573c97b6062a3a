import { idIn } from "../automation-steps/step-fields.ts";
import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";
import type { Step } from "./automation.ts";

/** Whether a step names the dataset. Of an id that a template makes nothing is known before a run. */
export function usesDataset({ promptTemplate }: Pick<Step, "promptTemplate">, datasetId: string): boolean {
  const fields = parseJsonObject(promptTemplate) ?? {};
  const { type } = fields;
  return isStepType(type) && "dataset_id" in stepHandlers[type].fields && idIn(fields, "dataset_id") === datasetId;
}
