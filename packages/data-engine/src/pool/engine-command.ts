import { join } from "node:path";
import { type Sandbox, type SandboxedCommand, sandboxedCommand } from "@aiplatform/serving-runtime/sandbox";
import type { ProgramSettings } from "../program/serve.ts";

const here = import.meta.dirname;
const workspace = join(here, "..", "..", "..", "..");
/** JavaScript of a process, MiB. */
export const heapMiB = 256;
/**
 * What V8 reserves for compiled code and fills with a small part of it, MiB: the kernel counts all of it as data. Without it, DuckDB would be refused memory that it
 * may have.
 */
const codeReserveMiB = 512;

/** A bundle of the program, where one was made for the tests: processes start from it in a fraction of the time. */
const { DATA_ENGINE_BUNDLE: bundled } = process.env;

/** In a bundle the program has its own folder beside the service; otherwise it is run from this repository's sources. */
const { program, code } =
  import.meta.filename.endsWith(".ts") && bundled === undefined
    ? {
        program: join(here, "..", "program", "main.ts"),
        code: ["packages", "node_modules"].map((name) => join(workspace, name)),
      }
    : bundleIn(bundled ?? join(here, "data-engine"));

function bundleIn(folder: string) {
  return { program: join(folder, "main.js"), code: [folder] };
}

/** What a process has to be able to read beside its organisation's folder. */
export const engineCode: readonly string[] = code;

export interface ProcessOptions {
  readonly sandbox: Sandbox;
  readonly settings: ProgramSettings;
  /** MiB of the whole process. */
  readonly memoryMiB: number;
  /** MiB of its largest file. */
  readonly fileMiB: number;
}

/** The command of one process: within the sandbox, or under Node's permission model alone where the operator chose none. */
export function engineCommand({ sandbox, settings, memoryMiB, fileMiB }: ProcessOptions): SandboxedCommand {
  const { folder, scratch } = settings;
  const command = {
    command: process.execPath,
    args: [...nodeArguments(folder, scratch), program, JSON.stringify(settings)],
  };
  if (sandbox.kind === "none") return command;
  const rules = {
    read: [...code, folder],
    write: { directory: scratch, file: fileMiB },
    parent: process.pid,
    memory: memoryMiB + codeReserveMiB,
  };
  return sandboxedCommand(sandbox, rules, command);
}

function nodeArguments(folder: string, scratch: string): string[] {
  return [
    "--permission",
    ...[...code, folder, scratch].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${scratch}`,
    "--allow-addons",
    "--disable-sigusr1",
    "--no-experimental-sqlite",
    "--disable-warning=SecurityWarning",
    "--disable-warning=ExperimentalWarning",
    `--max-old-space-size=${heapMiB}`,
  ];
}
