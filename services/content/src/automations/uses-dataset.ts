import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { parseJsonObject } from "../json-object.ts";
import type { Step } from "./automation.ts";

/** Whether a step names the dataset. Of an id that a template makes nothing is known before a run. */
export function usesDataset({ promptTemplate }: Pick<Step, "promptTemplate">, datasetId: string): boolean {
  const fields = parseJsonObject(promptTemplate) ?? {};
  const { type } = fields;
  return isStepType(type) && stepHandlers[type].datasetIds?.(fields).includes(datasetId) === true;
}
