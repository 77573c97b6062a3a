import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { NamedDataset, Runtime } from "../deployment-versions/deployment-version.ts";
import { pathOfModel } from "../deployment-versions/version-plan.ts";
import { type Content, readContent } from "./artifact-content.ts";
import { collide, pathProblem } from "./bundle-path.ts";

export interface ModelRef {
  modelId: string;
  alias: string;
}

/** A bundle as it was given, with what goes with it. */
export interface GivenBundle {
  runtime: { type: string; value: string };
  /** JSON texts. */
  interface: { input: string; output: string };
  artifacts: { name: string; path: string }[];
  datasets: NamedDataset[];
  modelRefs: ModelRef[];
  /** JSON text of each content. */
  contents: { name: string; content: string }[];
}

/** A bundle in which nothing is wrong that can be told without looking anything up. */
export interface CheckedBundle {
  runtime: Runtime;
  interface: { input: string; output: string };
  datasets: NamedDataset[];
  modelRefs: ModelRef[];
  files: { path: string; content: Content }[];
}

/** The catalogue of prebuilt runtimes. */
const runtimes: Readonly<Record<string, Runtime>> = { onnx: "onnx", node: "node" };
const handlerPath = "handler.mjs";
const aliasPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/;
const inBundle = "serving_bundle";

/** Problems that are found elsewhere: in the schemas of the interface, and in the rest of the request. */
export interface KnownProblems {
  schemas: readonly FieldViolation[];
  others: readonly FieldViolation[];
}

/** Checks all of a bundle. @throws InvalidFieldsError with every problem, those that are known already among them */
export function checkBundle(given: GivenBundle, known: KnownProblems = { schemas: [], others: [] }): CheckedBundle {
  const { files, violations: wrongContents } = filesOf(given);
  const runtime = given.runtime.type === "prebuilt" ? runtimes[given.runtime.value] : undefined;
  const wrong = [
    ...runtimeProblems(given),
    ...known.schemas,
    ...pathProblems(given),
    ...aliasProblems(`${inBundle}.datasets`, given.datasets),
    ...aliasProblems("model_refs", given.modelRefs),
    ...wrongContents,
  ];
  if (wrong.length === 0 && runtime) wrong.push(...entryProblems(runtime, given));
  assertNone([...wrong, ...known.others]);
  const { interface: schemas, datasets, modelRefs } = given;
  return { runtime: runtime ?? "node", interface: schemas, datasets, modelRefs, files };
}

function runtimeProblems({ runtime: { type, value } }: GivenBundle): FieldViolation[] {
  if (type !== "prebuilt") {
    return [violation(`${inBundle}.runtime.type`, "RUNTIME_UNKNOWN", "Input should be 'prebuilt'")];
  }
  if (Object.hasOwn(runtimes, value)) return [];
  const known = Object.keys(runtimes).map((name) => `'${name}'`);
  return [violation(`${inBundle}.runtime.value`, "RUNTIME_UNKNOWN", `Input should be ${known.join(" or ")}`)];
}

function pathProblems({ artifacts, modelRefs }: GivenBundle): FieldViolation[] {
  const taken = modelRefs.map(({ alias }) => pathOfModel(alias));
  return artifacts.flatMap(({ path }, index) => {
    const field = `${inBundle}.artifacts[${index}].path`;
    const problem = pathProblem(path);
    const other = taken.find((one) => collide(one, path));
    taken.push(path);
    if (problem !== undefined) return [violation(field, "PATH_INVALID", problem)];
    return other === undefined ? [] : [violation(field, "PATH_REPEATED", `another file lies at ${other} already`)];
  });
}

function aliasProblems(list: string, named: readonly { alias: string }[]): FieldViolation[] {
  const invalid = named.flatMap(({ alias }, index) => {
    if (aliasPattern.test(alias)) return [];
    const description =
      "the alias may have letters, digits, _, . and -, 64 at most, and begins with a letter, a digit or _";
    return [violation(`${list}[${index}].alias`, "ALIAS_INVALID", description)];
  });
  return [
    ...invalid,
    ...repeated(
      list,
      "alias",
      named.map(({ alias }) => alias),
    ),
  ];
}

/** The files with their contents; every artifact has one content, every content its artifact. */
function filesOf({
  artifacts,
  contents,
}: GivenBundle): Pick<CheckedBundle, "files"> & { violations: FieldViolation[] } {
  const violations = [
    ...repeated(
      `${inBundle}.artifacts`,
      "name",
      artifacts.map(({ name }) => name),
    ),
    ...repeated(
      "artifacts",
      "name",
      contents.map(({ name }) => name),
    ),
  ];
  const declared = new Set(artifacts.map(({ name }) => name));
  const read = new Map<string, Content>();
  for (const [index, { name, content }] of contents.entries()) {
    const field = `artifacts[${index}]`;
    if (!declared.has(name)) {
      violations.push(violation(`${field}.name`, "ARTIFACT_UNDECLARED", "the bundle has no artifact of this name"));
    }
    const result = readContent(content);
    if ("problem" in result)
      violations.push(violation(`${field}.content.${result.key}`, "CONTENT_INVALID", result.problem));
    else read.set(name, result);
  }
  const given = new Set(contents.map(({ name }) => name));
  const files = artifacts.flatMap(({ name, path }, index) => {
    const content = read.get(name);
    if (!given.has(name)) {
      const description = "the artifact has no content";
      violations.push(violation(`${inBundle}.artifacts[${index}].name`, "CONTENT_MISSING", description));
    }
    return content ? [{ path, content }] : [];
  });
  return { files, violations };
}

/** What each runtime begins with. */
function entryProblems(runtime: Runtime, { artifacts, modelRefs }: GivenBundle): FieldViolation[] {
  const field = `${inBundle}.artifacts`;
  if (runtime === "node") {
    const hasHandler = artifacts.some(({ path }) => path === handlerPath);
    return hasHandler
      ? []
      : [violation(field, "HANDLER_MISSING", `the runtime node needs an artifact at ${handlerPath}`)];
  }
  const models = artifacts.filter(({ path }) => path.endsWith(".onnx")).length + modelRefs.length;
  if (models === 1) return [];
  const description = `the runtime onnx serves exactly one model, and there are ${models}: artifacts whose path ends in .onnx and model_refs`;
  return [violation(field, "MODEL_AMBIGUOUS", description)];
}

function repeated(list: string, key: string, values: readonly string[]): FieldViolation[] {
  const reason = `${key.toUpperCase()}_REPEATED`;
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index
      ? []
      : [violation(`${list}[${index}].${key}`, reason, `the ${key} stands at ${first} already`)];
  });
}

function violation(field: string, reason: string, description: string): FieldViolation {
  return { field, reason, description };
}
