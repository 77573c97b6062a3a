// Imports go down only: no service knows another's insides, packages know no service, and parts of a workspace form no cycle.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const importPattern = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
const serviceNames = readdirSync(join(root, "services"));

interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** Part → part that it imports → one file that does. */
type Graph = Map<string, Map<string, string>>;

/** Why a file may not import that, or undefined. */
function objection({ file, specifier }: Import): string | undefined {
  const [kind, name, part] = file.split(sep);
  if (part !== "src") return undefined;
  const target = specifier.startsWith(".")
    ? relative(root, resolve(root, file, "..", specifier)).split(sep)
    : undefined;
  const isOf = (each: string) => specifier === `@aiplatform/${each}` || specifier.startsWith(`@aiplatform/${each}/`);
  const service = target ? target[0] === "services" && target[1] : serviceNames.find(isOf);
  if (kind === "packages" && service) return "a package imports a service";
  if (kind === "apps" && /^@aiplatform\/(?!client$)/.test(specifier))
    return "an app knows the platform by its client alone";
  if (/^@aiplatform\/console/.test(specifier)) return "nothing imports an app";
  if (kind === "services" && service && service !== name) return "a service imports another";
  if (target && (target[0] !== kind || target[1] !== name)) return "a relative import leaves its workspace";
  if (name !== "event-stream" && (specifier === "nats" || specifier.startsWith("nats/")))
    return "only event-stream imports nats";
  return undefined;
}

/** Files that put the rest of their folder together: they import everything, and only tests and programs import them. */
const wiring = /(?:^|-)(?:service|main|index)\.tsx?$/;

/** Files whose imports count for no cycle, and why that stays. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    "services/identity/src/dependencies.ts",
    "names what operations are given, stores included; with the stores of each in its place all 55 files would change",
  ],
  [
    "services/content/src/content-quotas.ts",
    "counts what the stores of all folders hold; the operations that ask for room are given it by its type",
  ],
  ["services/training/src/training-quotas.ts", "as the quotas of content"],
  [
    "services/content/src/errors.ts",
    "lists the errors of all folders; a step that fails tells its run what callers would be told, by the same table",
  ],
]);

/**
 * Imports between parts of a workspace's `src`, as part → part → one file that imports. Folders are compared where their paths
 * part; the files of a folder are a part beside the folders in it. Only `src` itself is no part: each of its files is one.
 * Tests are left out: they may look at everything.
 */
function partImports(imports: readonly Import[]): Graph {
  const graph: Graph = new Map();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith(".") || file.split(sep)[2] !== "src" || file.endsWith(".test.ts")) continue;
    const imported = relative(root, resolve(root, file, "..", specifier));
    if (wiring.test(basename(file)) || wiring.test(basename(imported))) continue;
    if (exceptions.has(file.replaceAll(sep, "/"))) continue;
    const [from, to] = [file.split(sep), imported.split(sep)];
    const shared = from.findIndex((name, index) => name !== to[index]);
    if (shared < 3 || (shared > 3 && from.length === shared + 1 && to.length === shared + 1)) continue;
    const partOf = (path: readonly string[]) =>
      path.length === shared + 1 && shared > 3 ? path.with(-1, "*.ts").join(sep) : path.slice(0, shared + 1).join(sep);
    const [source, target] = [partOf(from), partOf(to)];
    const targets = graph.get(source) ?? new Map<string, string>();
    graph.set(source, targets.set(target, targets.get(target) ?? file));
  }
  return graph;
}

/** The parts of each cycle, in the order of their imports. */
function cycles(graph: Graph): string[][] {
  const found = new Map<string, string[]>();
  const visit = (folder: string, path: readonly string[]) => {
    const at = path.indexOf(folder);
    if (at >= 0) {
      const cycle = path.slice(at);
      found.set(cycle.toSorted().join(), [...cycle, folder]);
      return;
    }
    for (const next of graph.get(folder)?.keys() ?? []) visit(next, [...path, folder]);
  };
  for (const folder of graph.keys()) visit(folder, []);
  return [...found.values()];
}

function describeCycle(graph: Graph, cycle: readonly string[]): string {
  const steps = cycle.slice(1).map((to, index) => `${graph.get(cycle[index] ?? "")?.get(to)} imports ${to}`);
  return `${cycle.slice(1).join(", ")} import each other:\n  ${steps.join("\n  ")}`;
}

const sources = ["apps", "packages", "services", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|dist|^contract/.test(path))
    .map((path) => join(folder, path)),
);

runMain(async () => {
  const imports = sources.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(importPattern)].map(([, specifier = ""]) => ({
      file,
      specifier,
    })),
  );
  const broken = imports.flatMap((each) => {
    const reason = objection(each);
    return reason ? [`${each.file}: ${reason} (${each.specifier})`] : [];
  });
  for (const file of exceptions.keys())
    if (!imports.some((each) => each.file === join(file))) broken.push(`${file}: is an exception, and is not there`);
  const graph = partImports(imports);
  broken.push(...cycles(graph).map((cycle) => describeCycle(graph, cycle)));
  if (broken.length > 0) throw new StepError(broken.join("\n"));
});
