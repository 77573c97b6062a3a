// Imports go down only: no service knows another's insides, packages know no service, and folders form no cycle.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const importPattern = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;
const serviceNames = readdirSync(join(root, "services"));

interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** Folder → folder that it imports → one file that does. */
type Graph = Map<string, Map<string, string>>;

/** Why a file may not import that, or undefined. */
function objection({ file, specifier }: Import): string | undefined {
  const [kind, name, part] = file.split(sep);
  if (part !== "src") return undefined;
  const target = specifier.startsWith(".")
    ? relative(root, resolve(root, file, "..", specifier)).split(sep)
    : undefined;
  const service = target
    ? target[0] === "services" && target[1]
    : serviceNames.find((each) => specifier.startsWith(`@aiplatform/${each}`));
  if (kind === "packages" && service) return "a package imports a service";
  if (kind === "services" && service && service !== name) return "a service imports another";
  if (target && (target[0] !== kind || target[1] !== name)) return "a relative import leaves its workspace";
  if (name !== "event-stream" && (specifier === "nats" || specifier.startsWith("nats/")))
    return "only event-stream imports nats";
  return undefined;
}

/**
 * Imports between folders, as folder → folder → one file that imports. Both stand in the same folder of the `src` of a
 * workspace. Tests are left out: they may look at everything.
 */
function folderImports(imports: readonly Import[]): Graph {
  const graph: Graph = new Map();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith(".") || file.split(sep)[2] !== "src" || file.endsWith(".test.ts")) continue;
    const from = dirname(file).split(sep);
    const to = dirname(relative(root, resolve(root, file, "..", specifier))).split(sep);
    const shared = from.findIndex((part, index) => part !== to[index]);
    if (shared < 3 || to.length <= shared) continue;
    const folder = (parts: readonly string[]) => parts.slice(0, shared + 1).join(sep);
    const [source, target] = [folder(from), folder(to)];
    const targets = graph.get(source) ?? new Map<string, string>();
    graph.set(source, targets.set(target, targets.get(target) ?? file));
  }
  return graph;
}

/** The folders of each cycle, in the order of their imports. */
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
  return `the folders ${cycle.slice(1).join(", ")} import each other:\n  ${steps.join("\n  ")}`;
}

const sources = ["packages", "services", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.ts$/.test(path) && !/node_modules|dist|^contract/.test(path))
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
  const graph = folderImports(imports);
  broken.push(...cycles(graph).map((cycle) => describeCycle(graph, cycle)));
  if (broken.length > 0) throw new StepError(broken.join("\n"));
});
