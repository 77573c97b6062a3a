import { join } from "node:path";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../../../../../", import.meta.url));

/** A Node process of this repository: which file to run, with which settings, and how to see that it is ready. */
export interface ProcessPlan {
  name: string;
  /** Path of its main file. */
  main: string;
  env: Record<string, string>;
  /** URLs that answer 200 once it is ready. Absent: it is ready once it runs. */
  readyUrls?: readonly string[];
  /** Milliseconds it may take to be ready. Default 60 s. */
  readyWithinMs?: number;
  /** Milliseconds it may take to stop. Default 10 s. */
  graceMs?: number;
  /** Why it ended, in a few words for people, by the lines it logged since its start. Default: its exit code or signal alone. */
  explain?: (lines: readonly string[]) => string | undefined;
}

/** Main file of a service or example, or of another folder of the repository. */
export const mainOf = (folder: string, source = "src"): string => join(repository, folder, source, "main.ts");
