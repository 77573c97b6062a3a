import { runStatuses, statesOfStatus } from "./run-status.ts";
import { nameTag } from "./run-tags.ts";

/** How values are compared: as texts, as numbers where they are numbers, as numbers alone, as times, or as statuses of runs. */
export type ComparedAs = "text" | "scalar" | "number" | "time" | "status";

/** A field of a list of ours that a name of MLflow stands for. */
export interface SearchField {
  /** As our filters write it. */
  path: string;
  comparedAs: ComparedAs;
  /** What asks whether it has a value, as our filters write it. Absent: it always has one. */
  presence?: string;
  isSortable: boolean;
}

/** Undefined: lists cannot be searched by it. */
export type SearchFields = (entity: string, key: string) => SearchField | undefined;

const entities: Readonly<Record<string, "metric" | "parameter" | "tag" | "attribute">> = {
  metric: "metric",
  metrics: "metric",
  param: "parameter",
  params: "parameter",
  parameter: "parameter",
  parameters: "parameter",
  tag: "tag",
  tags: "tag",
  "": "attribute",
  attr: "attribute",
  attribute: "attribute",
  attributes: "attribute",
  run: "attribute",
};

const text = { comparedAs: "text", isSortable: true } as const;
const time = { comparedAs: "time", isSortable: true } as const;

const runAttributes = new Map<string, SearchField>([
  ["status", { path: "jobs.state", comparedAs: "status", isSortable: false }],
  ["run_name", { path: "name", ...text }],
  ["start_time", { path: "created_at", ...time }],
  ["created", { path: "created_at", ...time }],
]);

const experimentAttributes = new Map<string, SearchField>([
  ["name", { path: "name", ...text }],
  ["creation_time", { path: "created_at", ...time }],
]);

/** What runs are searched by. */
export const runFields: SearchFields = (entity, key) => {
  const kind = entities[entity.toLowerCase()];
  if (kind === "attribute") return runAttributes.get(key.toLowerCase());
  if (kind === "metric") return ofMap("metrics", key, { comparedAs: "number", isSortable: true });
  if (kind === "parameter") return ofMap("parameters", key, { comparedAs: "scalar", isSortable: true });
  if (kind === "tag" && key === nameTag) return runAttributes.get("run_name");
  return kind === "tag" ? ofMap("tags", key, { comparedAs: "text", isSortable: false }) : undefined;
};

/** What experiments are searched by. */
export const experimentFields: SearchFields = (entity, key) => {
  const kind = entities[entity.toLowerCase()];
  if (kind === "attribute") return experimentAttributes.get(key.toLowerCase());
  return kind === "tag" ? ofMap("annotations", key, { comparedAs: "scalar", isSortable: false }) : undefined;
};

function ofMap(map: string, key: string, how: Pick<SearchField, "comparedAs" | "isSortable">): SearchField {
  return { path: `${map}.${quoted(key)}`, presence: `${map}:${quoted(key)}`, ...how };
}

/** A text as our filters write it. */
export function quoted(value: string): string {
  return `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** The comparison that asks whether a run has a status; undefined for a text that is none. */
export function hasStatus(path: string, value: string): string | undefined {
  const status = runStatuses.find((candidate) => candidate === value.toUpperCase());
  return status && `(${statesOfStatus[status].map((state) => `${path} = ${state}`).join(" OR ")})`;
}
