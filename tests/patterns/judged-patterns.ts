import { createRequire } from "node:module";
import { check } from "recheck";
import type { Pattern } from "./collected-patterns.ts";

/** What no pattern may be unless a table says why it does no harm. */
export interface Slow {
  /** As it is written, with its flags. */
  readonly pattern: string;
  /** How its time grows with the text, or that nothing could be found out in time. */
  readonly growth: string;
  readonly places: readonly string[];
}

/** Patterns that are judged side by side. */
const lanes = 2;

/** The patterns whose time may grow faster than the text, in their order. `timeoutMs`: how long one of them is looked at. */
export async function slowAmong(patterns: readonly Pattern[], timeoutMs: number): Promise<Slow[]> {
  process.env["RECHECK_BACKEND"] = backend();
  const found: (Slow | undefined)[] = [];
  const left = patterns.entries();
  const lane = async () => {
    for (const [at, pattern] of left) found[at] = await judged(pattern, timeoutMs);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  delete process.env["RECHECK_BACKEND"];
  return found.flatMap((slow) => slow ?? []);
}

async function judged({ source, flags, places }: Pattern, timeout: number): Promise<Slow | undefined> {
  // The other limits count what is read: how busy the machine is must not change a verdict.
  const verdict = await check(source, flags, { timeout, incubationTimeout: null, attackTimeout: null });
  if (verdict.status === "safe") return undefined;
  const growth = verdict.status === "vulnerable" ? verdict.complexity.summary : "unknown";
  return { pattern: `/${source}/${flags}`, growth, places };
}

/** Systems by the names of that program's packages. */
const systems = new Map([
  ["linux", "linux"],
  ["darwin", "macos"],
]);

/** The program that npm brings for some platforms is some times faster than JavaScript, which runs everywhere. Never a JVM. */
function backend(): string {
  try {
    createRequire(import.meta.url).resolve(`recheck-${systems.get(process.platform)}-${process.arch}/package.json`);
    return "native";
  } catch {
    return "pure";
  }
}
