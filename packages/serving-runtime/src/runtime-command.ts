import { join } from "node:path";

/** What a driver knows when it starts an instance. */
export interface RuntimeCommandOptions {
  /** Directory of the version's files, absolute. */
  readonly directory: string;
  /** File of the manifest, absolute. */
  readonly manifestPath: string;
  /** File of the token, absolute, where it is not in the environment. */
  readonly tokenFile?: string;
  /** What the instance may take altogether, MiB. */
  readonly memoryMb: number;
  /** Whether ONNX models are among the files: their runtime is a native addon. */
  readonly models: boolean;
  /** Where the runtime's own code may be read. Default: this repository's packages and what they depend on. */
  readonly codePaths?: readonly string[];
}

const workspace = join(import.meta.dirname, "..", "..", "..");
const workspaceCode = ["packages", "node_modules"].map((name) => join(workspace, name));
const least = 32;

/** The program that an instance runs. */
export const runtimeProgram = join(import.meta.dirname, "main.ts");

/**
 * What `node` is given in front of the program, so that an instance reads its own files and nothing else, writes none and
 * starts no process. The network is for the server itself: a handler's thread gives it up before the handler is loaded.
 */
export function nodeArguments(o: RuntimeCommandOptions): string[] {
  const readable = [
    o.directory,
    o.manifestPath,
    ...(o.tokenFile === undefined ? [] : [o.tokenFile]),
    ...(o.codePaths ?? workspaceCode),
  ];
  return [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--allow-net",
    "--allow-worker",
    ...(o.models ? ["--allow-addons"] : []),
    "--disable-sigusr1",
    "--disable-warning=SecurityWarning",
    "--disable-warning=ExperimentalWarning",
    `--max-old-space-size=${Math.max(least, o.memoryMb)}`,
  ];
}

/** The whole command line behind `node` of one instance. */
export function runtimeCommand(o: RuntimeCommandOptions): string[] {
  return [...nodeArguments(o), runtimeProgram];
}
