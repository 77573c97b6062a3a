import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** Landlock, seccomp and no capabilities, set up by a launcher that this Python runs. */
export interface LandlockSandbox {
  readonly kind: "landlock";
  readonly python: string;
  readonly abi: number;
}

/** What a machine offers to contain the code of handlers. */
export type Sandbox = LandlockSandbox | { readonly kind: "none"; readonly reason: string };

/** What a program in the sandbox is given. */
export interface SandboxRules {
  /** Files and directories that it may read, absolute, beside the system's libraries. */
  readonly read: readonly string[];
  /** Whether it may open connections. Landlock knows ports and no addresses: then it reaches all that the machine reaches. */
  readonly network: boolean;
}

/** A program and its arguments. */
export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

const launcher = import.meta.filename.endsWith(".ts")
  ? join(import.meta.dirname, "launch.py")
  : join(import.meta.dirname, "serving-runtime", "launch.py");
/** Nothing of the user's or of the environment changes what the launcher does. */
const isolated = ["-I", "-S"];
const probeTimeoutMs = 10_000;

/** Asks the machine what it can enforce. */
export async function findSandbox(python = "python3"): Promise<Sandbox> {
  try {
    const { stdout } = await promisify(execFile)(python, [...isolated, launcher, "--probe"], {
      timeout: probeTimeoutMs,
    });
    const found: { python: string; system: string; landlock: number; seccomp: boolean; usable: boolean } =
      JSON.parse(stdout);
    if (found.usable) return { kind: "landlock", python: found.python, abi: found.landlock };
    const lacks = found.seccomp ? `Landlock with ABI 4 (it has ${found.landlock})` : "seccomp";
    return { kind: "none", reason: `${found.system} lacks ${lacks}` };
  } catch {
    return { kind: "none", reason: `${python} cannot be run` };
  }
}

/** The command that starts another one in a sandbox. The program must be absolute. It keeps its process id. */
export function sandboxedCommand(
  { python }: LandlockSandbox,
  { read, network }: SandboxRules,
  { command, args }: SandboxedCommand,
): SandboxedCommand {
  return { command: python, args: [...isolated, launcher, JSON.stringify({ read, network }), command, ...args] };
}
