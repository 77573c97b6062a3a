import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { runtimeCode } from "../runtime-command.ts";

/** Ways to contain a program, the strongest first. */
export const sandboxTiers = ["namespaces", "landlock"] as const;
export type SandboxTier = (typeof sandboxTiers)[number];
/** What an operator may ask for. `auto`: the strongest tier that the machine offers. */
export const sandboxChoices = ["auto", ...sandboxTiers, "none"] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

/** A boundary that a launcher draws, which this Python runs. */
export interface TierSandbox {
  readonly kind: SandboxTier;
  readonly python: string;
  /** Of Landlock; 0 where the kernel lacks it. */
  readonly abi: number;
}

/** What a machine offers to contain the code of handlers. */
export type Sandbox = TierSandbox | { readonly kind: "none"; readonly reason: string };

/** The one way to the network: a port of 127.0.0.1 with Landlock, a socket's path with namespaces. */
export type Egress = { readonly port: number } | { readonly socket: string };

/** How a program in the sandbox names its way to the network. */
export const egressInside = (egress: Egress) => ("port" in egress ? `http://127.0.0.1:${egress.port}` : "unix:/egress");

/** What a program in the sandbox is given. */
export interface SandboxRules {
  /** Files and directories that it may read, absolute, beside the system's libraries. */
  readonly read: readonly string[];
  /** Address on any port of which it gets a listening socket, as the descriptor in LISTEN_FD. Unset: none. */
  readonly listen?: string;
  /** MiB that it may take for data. Unset: without a limit. */
  readonly memory?: number;
  /** Unset: it opens no connection. */
  readonly egress?: Egress;
  /** Unset: it writes no file. */
  readonly write?: WritableDirectory;
  /** Id of this process, with which the program ends, in whatever way this one does. Unset: it may outlive it. */
  readonly parent?: number;
}

/** Where a program makes, reads and removes files. With namespaces and started by root, the directory then belongs to the program. */
export interface WritableDirectory {
  /** Absolute, and not within one of the paths that are read. */
  readonly directory: string;
  /** MiB of the largest file. */
  readonly file: number;
}

/** A program and its arguments. */
export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** The tier that was asked for cannot be used here. */
export class SandboxUnavailableError extends Error {
  override name = "SandboxUnavailableError";
}

export interface SandboxSearch {
  /** Name of the setting of `choice`, for errors. Default: SERVING_SANDBOX. */
  readonly setting?: string;
  /** Default: auto. */
  readonly choice?: string | undefined;
  readonly python?: string;
  /** What a program has to be able to read. Default: the code of the runtime. */
  readonly read?: readonly string[];
  /** Ends the search, and the program that tries the tiers. */
  readonly signal?: AbortSignal | undefined;
}

const here = import.meta.dirname;
const launcher = join(here, import.meta.filename.endsWith(".ts") ? "launcher" : "serving-runtime/launcher");
/** Nothing of the user's or of the environment changes what the launcher does, and it writes nothing. */
const launching = ["-I", "-S", "-B", launcher];
const probeTimeoutMs = 20_000;
const minLandlock = 4;

interface Found {
  readonly python: string;
  readonly system: string;
  readonly landlock: number;
  /** Why each tier cannot be used; null where it can. */
  readonly tiers: Readonly<Record<SandboxTier, string | null>>;
}

/** Has the machine set each tier up, and takes the strongest or the one that is asked for. @throws SandboxUnavailableError, the reason of `signal` */
export async function findSandbox(search: SandboxSearch = {}): Promise<Sandbox> {
  const { choice = "auto", setting = "SERVING_SANDBOX" } = search;
  if (choice === "none") return { kind: "none", reason: `${setting} is none` };
  const offered = await offeredSandboxes(search);
  const [sandbox] = offered.sandboxes.filter(({ kind }) => choice === "auto" || kind === choice);
  if (sandbox) return sandbox;
  if (choice === "auto") return { kind: "none", reason: offered.reason };
  throw new SandboxUnavailableError(`${setting} is ${choice}, which cannot be used here: ${offered.reason}`);
}

/** Every tier that the machine offers, the strongest first, and why it lacks others. */
export async function offeredSandboxes({
  python = "python3",
  read = runtimeCode,
  signal,
}: Omit<SandboxSearch, "choice">) {
  const found = await probe(python, read, signal);
  if (!found) return { sandboxes: [], reason: `it has no Python 3: ${python} cannot be run` };
  const sandboxes = sandboxTiers
    .filter((kind) => found.tiers[kind] === null)
    .map((kind): TierSandbox => ({ kind, python: found.python, abi: found.landlock }));
  const lacks = sandboxTiers.flatMap((kind) => (found.tiers[kind] === null ? [] : [`${kind}: ${found.tiers[kind]}`]));
  return { sandboxes, reason: `${found.system} lacks ${lacks.join("; ")}` };
}

async function probe(
  python: string,
  read: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Found | undefined> {
  try {
    const args = [...launching, "--probe", JSON.stringify({ read }), process.execPath];
    return JSON.parse((await promisify(execFile)(python, args, { timeout: probeTimeoutMs, signal })).stdout);
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

/** What a sandbox consists of, for people. */
export function boundariesOf({ kind, abi }: TierSandbox): string {
  if (kind === "landlock") return "Landlock and seccomp";
  return abi >= minLandlock ? "namespaces, Landlock and seccomp" : "namespaces and seccomp";
}

/**
 * The command that starts another one in a sandbox. The program must be absolute. With Landlock it keeps its process id; with
 * namespaces it is the child of a launcher, which passes SIGTERM and SIGINT on, ends as it ends, and takes it along when killed.
 */
export function sandboxedCommand(
  { kind: tier, python }: TierSandbox,
  rules: SandboxRules,
  { command, args }: SandboxedCommand,
): SandboxedCommand {
  return { command: python, args: [...launching, JSON.stringify({ tier, ...rules }), command, ...args] };
}
