import { idIn } from "../automation-steps/step-fields.ts";
import { isStepType, stepHandlers } from "../automation-steps/step-handlers/step-handlers.ts";
import { isJsonRecord, parseJsonObject } from "../json-object.ts";
import type { Step } from "./automation.ts";

/** Fields of steps that are lists of objects with the id of a dataset each. */
const lists = ["tables", "datasets"] as const;

/** Whether a step names the dataset. Of an id that a template makes nothing is known before a run. */
export function usesDataset({ promptTemplate }: Pick<Step, "promptTemplate">, datasetId: string): boolean {
  const fields = parseJsonObject(promptTemplate) ?? {};
  const { type } = fields;
  if (!isStepType(type)) return false;
  const known = stepHandlers[type].fields;
  const named = "dataset_id" in known ? [fields] : [];
  const read = lists.flatMap((name) => (name in known ? objectsOf(fields[name]) : []));
  return [...named, ...read].some((each) => idIn(each, "dataset_id") === datasetId);
}

function objectsOf(value: unknown) {
  return Array.isArray(value) ? value.filter(isJsonRecord) : [];
}
