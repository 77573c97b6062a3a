import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { tryLock } from "fs-native-extensions";
import { until } from "../wait.ts";

const repository = fileURLToPath(new URL("../../../../../", import.meta.url));
const builder = join(repository, "scripts", "bundle-local-platform.ts");
const cache = join(repository, "node_modules", ".cache", "aiplatform");
const builtWithinMs = 120_000;
const hourMs = 3_600_000;
/** What no platform has run for so long is removed. */
const unusedMs = 24 * hourMs;

/** How Node is to run a program. */
export interface ProgramCommand {
  /** The file that runs: a bundle, or the source itself. */
  main: string;
  args: string[];
  env: Record<string, string>;
}

/** How to run each program of this repository, by its main file. */
export type Programs = (main: string) => ProgramCommand;

/** From the sources as they are: for a program that is being worked on. */
export const fromSources: Programs = (main) => ({
  main,
  args: ["--disable-warning=ExperimentalWarning", main],
  env: {},
});

export interface BuildOptions {
  log: (line: string) => void;
  /** Gives a build up. */
  signal?: AbortSignal;
}

/**
 * Programs bundled from the sources as they are now: they start in a third of the time. A bundle is made when a source has
 * changed since the last one. Where none can be made, a source that does not parse say, the programs run from their sources,
 * and tell themselves what is wrong.
 */
export async function bundledPrograms({ log, signal }: BuildOptions): Promise<Programs> {
  try {
    const folder = join(cache, keyOfSources());
    await ensureBuilt(folder, signal);
    const bundles: Record<string, string> = JSON.parse(await readFile(join(folder, "bundles.json"), "utf8"));
    keep(folder);
    return (main) => {
      const bundle = bundles[relative(repository, main)];
      if (bundle === undefined) return fromSources(main);
      const positions = join(folder, bundles[stackPositions] ?? "");
      const path = join(folder, bundle);
      return {
        main: path,
        args: ["--import", positions, path],
        // Removed with the bundles that it is of.
        env: { NODE_COMPILE_CACHE: join(folder, "compiled") },
      };
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    if (!signal?.aborted) log(`the services start from their sources, which takes longer: ${why}`);
    return fromSources;
  }
}

const stackPositions = "packages/local-platform/src/infra/programs/stack-positions.ts";

/** Changes with each file that can be part of a program. */
function keyOfSources(): string {
  const hash = createHash("sha256").update(repository).update(process.version);
  const files = ["package-lock.json", "scripts/bundle.ts", "scripts/bundle-local-platform.ts"];
  for (const kind of ["packages", "services", "examples"]) {
    for (const name of readdirSync(join(repository, kind))) {
      files.push(join(kind, name, "package.json"));
      for (const folder of ["src", "gen"]) files.push(...filesBelow(join(kind, name, folder)));
    }
  }
  for (const file of files) {
    const stat = statSync(join(repository, file), { throwIfNoEntry: false });
    // The time of the last change of its entry moves also where a copy keeps that of the contents.
    if (stat) hash.update(`${file} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}\n`);
  }
  return hash.digest("hex").slice(0, 16);
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(repository, folder))) return [];
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|js|json|py)$/.test(path) && !path.endsWith(".test.ts"))
    .map((path) => join(folder, path));
}

/** Builds the folder unless it is there. Of several processes that want it one builds. */
async function ensureBuilt(folder: string, signal?: AbortSignal): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(cache, { recursive: true });
  const lock = openSync(join(cache, "building.lock"), "a");
  try {
    const otherwise = () => new Error(`another process is building ${folder} and does not finish`);
    await until(() => tryLock(lock) || undefined, { withinMs: builtWithinMs, everyMs: 50, otherwise });
    if (existsSync(folder)) return;
    removeUnused();
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    await build(unfinished, signal);
    renameSync(unfinished, folder);
  } finally {
    closeSync(lock);
  }
}

function build(out: string, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const child = spawn(process.execPath, [builder, out], {
    cwd: repository,
    stdio: [...stdio],
    ...(signal && { signal }),
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.once("error", reject).once("close", (code) => {
    if (code === 0) resolve();
    else reject(new Error(`they cannot be bundled. ${said.trim()}`));
  });
  return promise;
}

/** Folders whose programs this process runs. */
const kept = new Set<string>();

/** Keeps others from removing the folder for as long as this process runs: programs read files of it also later. */
function keep(folder: string): void {
  if (kept.size === 0) setInterval(() => kept.forEach(markUsed), hourMs).unref();
  kept.add(folder);
  markUsed(folder);
}

function markUsed(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // It belongs to another user, or was removed with node_modules.
  }
}

function removeUnused(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() && Date.now() - stat.mtimeMs > unusedMs) rmSync(path, { recursive: true, force: true });
  }
}
