import { join } from "node:path";

/** What a driver knows when it starts an instance. */
export interface RuntimeCommandOptions {
  /** Directory of the version's files, absolute. */
  readonly directory: string;
  /** File of the manifest, absolute. */
  readonly manifestPath: string;
  /** File of the token, absolute, where it is not in the environment. */
  readonly tokenFile?: string;
  /** Directory of the certificate and its key, absolute, where the instance has them. */
  readonly certificateDirectory?: string | undefined;
  /** What the instance may take altogether, MiB. */
  readonly memoryMb: number;
  /** Whether ONNX models are among the files: their runtime is a native addon. */
  readonly models: boolean;
  /** Where the runtime's own code may be read. Default: where {@link runtimeProgram} has it from. */
  readonly codePaths?: readonly string[];
}

const here = import.meta.dirname;
const workspace = join(here, "..", "..", "..");
const minHeapMb = 32;

/** A bundle of these sources, where one was made for the tests: instances start from it in a third of the time. */
const { SERVING_RUNTIME_BUNDLE: bundled } = process.env;

/**
 * In a bundle the runtime has its own folder beside the program that starts it; otherwise it is run from this
 * repository's sources.
 */
const { program, code } =
  import.meta.filename.endsWith(".ts") && bundled === undefined
    ? { program: join(here, "main.ts"), code: ["packages", "node_modules"].map((name) => join(workspace, name)) }
    : bundleIn(bundled ?? join(here, "serving-runtime"));

function bundleIn(folder: string) {
  return { program: join(folder, "main.js"), code: [folder] };
}

/** Where the runtime's own code is read from. */
export const runtimeCode: readonly string[] = code;

/** The program that an instance runs. */
export const runtimeProgram = program;

/** What an instance may read: its files, and the code of the runtime. */
export function readablePaths(o: RuntimeCommandOptions): string[] {
  const given = [o.directory, o.manifestPath, o.tokenFile, o.certificateDirectory];
  return [...given.filter((path) => path !== undefined), ...(o.codePaths ?? code)];
}

/**
 * What `node` is given in front of the program, so that an instance reads its own files and nothing else, writes none and
 * starts no process. The network is for the server itself: a handler's thread gives it up before the handler is loaded.
 */
export function nodeArguments(o: RuntimeCommandOptions): string[] {
  return [
    "--permission",
    ...readablePaths(o).map((path) => `--allow-fs-read=${path}`),
    "--allow-net",
    "--allow-worker",
    ...(o.models ? ["--allow-addons"] : []),
    "--disable-sigusr1",
    // Databases open files without asking the permission model.
    "--no-experimental-sqlite",
    "--disable-warning=SecurityWarning",
    "--disable-warning=ExperimentalWarning",
    `--max-old-space-size=${Math.max(minHeapMb, o.memoryMb)}`,
  ];
}

/** The whole command line behind `node` of one instance. */
export function runtimeCommand(o: RuntimeCommandOptions): string[] {
  return [...nodeArguments(o), runtimeProgram];
}
