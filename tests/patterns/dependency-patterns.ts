import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Collected, patternsIn } from "./collected-patterns.ts";
import { judged, unjudged } from "./judged-dependencies.ts";

const root = join(import.meta.dirname, "../..");
/** What a package has beside what is loaded: for browsers, for its own tests. */
const unloaded =
  /(^|[/\\])(node_modules|tests?|benchmarks?|examples?|docs)[/\\]|(^|[/\\])(browser|bench|.*\.(test|min|config))\.[cm]?js$/;

/**
 * Names of packages by the folders they lie in: these and all that they depend on and that no table leaves out. One
 * that is installed in several versions has a folder for each.
 */
export function judgedFolders(names: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const visit = (name: string, from: string) => {
    if (Object.hasOwn(unjudged, name)) return;
    const folder = folderOf(name, from);
    if (folders.has(folder)) return;
    folders.set(folder, name);
    for (const dependency of dependenciesOf(folder)) visit(dependency, folder);
  };
  for (const name of names) for (const workspace of workspacesWith(name)) visit(name, workspace);
  return folders;
}

/** Patterns in what a package loads, with places from the root of the repository on. */
export function patternsOfPackage(name: string, folder: string): Collected {
  const all = ["**/*.{js,mjs,cjs}"];
  const judgedFiles = globSync([...(judged[name]?.files ?? all)], { cwd: folder });
  // Another version of the package may lay out its files in another way.
  const files = (judgedFiles.length > 0 ? judgedFiles : globSync(all, { cwd: folder })).filter(
    (file) => !unloaded.test(file),
  );
  return patternsIn(files.map((file) => relative(root, join(folder, file))).sort(), { cwd: root });
}

/** Packages that the sources of the services import, in their order. */
export function importedPackages(): readonly string[] {
  const sources = globSync("{packages,services}/*/src/**/*.ts", { cwd: root }).filter((file) => !isElsewhere(file));
  const names = sources.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/ from "((?:@[\w-]+\/)?[\w.-]+)[^"]*";/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return [...new Set(names)].filter((name) => !/^(node|\.+)$|^@aiplatform\//.test(name)).sort();
}

/** Sources that no service runs. */
function isElsewhere(file: string): boolean {
  const tools = /^packages[/\\](cli|client|cluster-installer|contract|doctor|local-platform|testkit|trainer)[/\\]/;
  return tools.test(file) || /\.test\.ts$/.test(file);
}

/** Folders of our own packages that declare a package, or the root where only others bring it. */
function workspacesWith(name: string): readonly string[] {
  const all = globSync("{packages,services}/*", { cwd: root }).map((folder) => join(root, folder));
  const declaring = all.filter(
    (folder) => existsSync(join(folder, "package.json")) && dependenciesOf(folder).includes(name),
  );
  return declaring.length > 0 ? declaring : [root];
}

function folderOf(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
    if (folder === root) throw new Error(`${name}, which ${relative(root, from)} depends on, is not installed`);
  }
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.keys(dependencies);
}
