/**
 * Kilobytes that a browser loads for the first screen of the console: the page, what it names, the home page, and all that these import,
 * each compressed as the gateway sends it. The console is built as `npm start` builds it.
 *
 *     node bench/rows/console-size.ts
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Bench, runBench } from "../harness/bench.ts";
import type { Figure } from "../harness/figure.ts";

const repository = join(import.meta.dirname, "../..");
const named = /(?:src|href)="\.\/([^"]+)"/g;
const imported = /(?:from|import)\s*"\.\/([^"]+\.js)"/g;

/** What the page loads before it shows its first screen, relative to the folder. */
function firstScreen(folder: string): string[] {
  const page = readFileSync(join(folder, "index.html"), "utf8");
  const home = readdirSync(join(folder, "assets")).filter((name) => /^home-page-.*\.(js|css)$/.test(name));
  if (home.length === 0) throw new Error("the build has no home page: its chunk has another name now");
  const found = new Set(["index.html"]);
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    if (!path.endsWith(".js")) return;
    for (const [, name = ""] of readFileSync(join(folder, path), "utf8").matchAll(imported)) visit(`assets/${name}`);
  };
  for (const [, path = ""] of page.matchAll(named)) visit(path);
  for (const name of home) visit(`assets/${name}`);
  return [...found];
}

/** As the gateway sends it to a browser: compressed where the build has made that. */
function sentBytes(path: string): number {
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
}

export const consoleSize: Bench = {
  title: "First screen of the console",
  async measure() {
    await using home = await mkdtempDisposable(join(tmpdir(), "console-size-"));
    const folder = join(home.path, "console");
    await promisify(execFile)(process.execPath, [join(repository, "scripts", "build-console.ts"), folder]);
    const each = firstScreen(folder).map((path): Figure => {
      const name = path.replace(/-[\w-]{8}(?=\.\w+$)/, "");
      const values = [sentBytes(join(folder, path)) / 1_000];
      return { id: `console-${name}`, name, unit: "kB, compressed", values };
    });
    const all = each.reduce((sum, { values: [kilobytes = 0] }) => sum + kilobytes, 0);
    return [{ id: "console-bytes", name: "first screen, all files", unit: "kB, compressed", values: [all] }, ...each];
  },
};

if (import.meta.main) await runBench(consoleSize);
