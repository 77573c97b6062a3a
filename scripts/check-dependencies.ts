// Each run-time dependency of a workspace stands in one table with its reason, and the table names nothing else.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, runMain, StepError } from "./install.mjs";

const page = join("docs", "dependencies.md");
const own = "@aiplatform/";

interface Row {
  readonly users: string;
  readonly reason: string;
}

function manifestsIn(kind: string): string[] {
  return readdirSync(join(root, kind))
    .map((name) => join(root, kind, name, "package.json"))
    .filter((path) => existsSync(path));
}

/** Library → the workspaces that need it at run time, as the table names them. */
function declared(): Map<string, string> {
  const users = new Map<string, string[]>();
  for (const path of ["apps", "packages", "services", "examples"].flatMap(manifestsIn)) {
    const manifest = JSON.parse(readFileSync(path, "utf8"));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    const name: string = manifest.name.replace(own, "");
    for (const library of Object.keys(needed)) {
      if (!library.startsWith(own)) users.set(library, [...(users.get(library) ?? []), name]);
    }
  }
  return new Map([...users].map(([library, names]) => [library, names.sort().join(", ")]));
}

/** Library → what its row says. @throws StepError when a library has two rows */
function explained(): Map<string, Row> {
  const rows = new Map<string, Row>();
  const text = readFileSync(join(root, page), "utf8");
  for (const [, library = "", users = "", reason = ""] of text.matchAll(/^\| `([^`]+)` \|([^|]*)\|([^|]*)\|$/gm)) {
    if (rows.has(library)) throw new StepError(`${page}: ${library} has two rows; keep one`);
    rows.set(library, { users: users.trim(), reason: reason.trim() });
  }
  return rows;
}

/** What is wrong with the row of a library, or undefined. */
function objection(users: string | undefined, row: Row | undefined): string | undefined {
  if (!users) return "no workspace needs it at run time; delete the row";
  if (!row) return "it has no row; add one that says why it is needed";
  if (row.users !== users) return `the row names "${row.users}"; the manifests say "${users}"`;
  return row.reason ? undefined : "the row gives no reason";
}

runMain(async () => {
  const [needed, rows] = [declared(), explained()];
  const libraries = [...new Set([...needed.keys(), ...rows.keys()])].sort();
  const found = libraries.flatMap((library) => {
    const wrong = objection(needed.get(library), rows.get(library));
    return wrong ? [`${page}: ${library}: ${wrong}`] : [];
  });
  if (found.length > 0) throw new StepError(found.join("\n"));
});
