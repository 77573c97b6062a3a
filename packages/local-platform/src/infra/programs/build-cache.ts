import { spawn } from "node:child_process";
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
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tryLock } from "fs-native-extensions";
import { until } from "../wait.ts";

export const repository = fileURLToPath(new URL("../../../../../", import.meta.url));
const cache = join(repository, "node_modules", ".cache", "aiplatform");
const builtWithinMs = 120_000;
const hourMs = 3_600_000;
/** What no platform has used for so long is removed. */
const unusedMs = 24 * hourMs;

/** Something that is built from sources. */
export interface Build {
  /** Name of the folder in the cache: changes with the sources. */
  name: string;
  /** What Node runs; it gets the folder to write as its last argument. */
  command: readonly string[];
  /** Gives the build up. */
  signal?: AbortSignal | undefined;
}

/**
 * Builds the folder unless it is there, and keeps it for as long as this process runs. Of several processes that want it one builds.
 * Returns its path.
 */
export async function ensureBuilt({ name, command, signal }: Build): Promise<string> {
  const folder = join(cache, name);
  if (!existsSync(folder)) await buildAlone(folder, command, signal);
  keep(folder);
  return folder;
}

/** Changes with each of the files; their names are relative to the repository. */
export function statsOf(files: Iterable<string>): string {
  let text = "";
  for (const file of files) {
    const stat = statSync(join(repository, file), { throwIfNoEntry: false });
    // The time of the last change of its entry moves also where a copy keeps that of the contents.
    if (stat) text += `${file} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}\n`;
  }
  return text;
}

/** The files below a folder whose names fit, relative to the repository. */
export function filesBelow(folder: string, pattern: RegExp): string[] {
  if (!existsSync(join(repository, folder))) return [];
  return readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => pattern.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => join(folder, path));
}

async function buildAlone(folder: string, command: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const lock = openSync(join(cache, "building.lock"), "a");
  try {
    const otherwise = () => new Error(`another process is building ${folder} and does not finish`);
    await until(() => tryLock(lock) || undefined, { withinMs: builtWithinMs, everyMs: 50, otherwise });
    if (existsSync(folder)) return;
    removeUnused();
    const unfinished = `${folder}.unfinished`;
    rmSync(unfinished, { recursive: true, force: true });
    await run([...command, unfinished], signal);
    renameSync(unfinished, folder);
  } finally {
    closeSync(lock);
  }
}

function run(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const child = spawn(process.execPath, args, { cwd: repository, stdio: [...stdio], ...(signal && { signal }) });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.once("error", reject).once("close", (code) => {
    if (code === 0) resolve();
    else reject(new Error(`the build failed. ${said.trim()}`));
  });
  return promise;
}

/** Folders that this process uses. */
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
