// Node built-ins and old syntax only: this runs before anything is installed, on whatever Node the machine has.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".installed-lock-hash");
const ownNode = join(root, "node_modules", ".bin", "node");
/** Oldest Node that runs our sources as they are, without the one that the packages bring. */
const oldestNode = 24;

/** A step of ours could not be done; the message is one sentence with a remedy. */
export class StepError extends Error {
  name = "StepError";
}

function installedAsLocked() {
  const hash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return true;
  // Somebody may have run npm by hand: its own record of what it installed says the same.
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const locked = JSON.parse(readFileSync(lockFile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  const missing = Object.entries(locked).filter(
    ([path, entry]) => path.includes("node_modules/") && !entry.optional && installed[path]?.version !== entry.version,
  );
  if (missing.length > 0) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/**
 * Runs a program to its end with our output and answers its exit code. With `capture`, answers `{ code, output }`
 * and nothing is shown.
 */
export function run(command, args, { env = process.env, capture = false, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    // What it says goes to standard error: standard output belongs to `--json`.
    const stdio = capture || quiet ? ["ignore", "pipe", "pipe"] : ["inherit", 2, 2];
    const child = spawn(command, args, { cwd: root, env, stdio });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", reject).on("close", (code) => resolve(capture ? { code: code ?? 1, output } : (code ?? 1)));
  });
}

/** `npm` as it was called, or the one on the PATH. */
export function npmCommand(...args) {
  const path = process.env.npm_execpath;
  return path && /\.c?js$/.test(path) ? [process.execPath, [path, ...args]] : ["npm", args];
}

/** Installs the locked packages unless they are there. */
export async function install() {
  if (installedAsLocked()) return;
  process.stderr.write("installing packages (npm ci), about a minute the first time\n");
  const [command, args] = npmCommand("ci", "--no-audit", "--no-fund");
  const { code, output } = await run(command, args, { capture: true });
  if (code !== 0) {
    const said = output
      .trim()
      .split("\n")
      .filter((line) => !line.includes("EBADENGINE"))
      .slice(-15)
      .join("\n");
    throw new StepError(
      `npm ci failed; its last lines say why:\n${said}\nCheck the network and the npm registry setting, then try again.`,
    );
  }
  if (!installedAsLocked()) throw new StepError("npm ci left packages out: remove node_modules and try again.");
}

/** The Node to run our sources with: the one the packages bring, else this one if it is new enough. */
export function sourceNode() {
  if (existsSync(ownNode)) return ownNode;
  if (Number(process.versions.node.split(".")[0]) >= oldestNode) return process.execPath;
  throw new StepError(
    `Node ${oldestNode} or newer is needed here, and this is ${process.version}: install it and try again.`,
  );
}

/** This environment with the tools of the packages first on the PATH. */
export function toolEnvironment(more = {}) {
  const path = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;
  return { ...process.env, PATH: path, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...more };
}

/** Ends this process with a sentence instead of a stack trace when `main` fails in a way we know. */
export function runMain(main) {
  main().catch((error) => {
    const known = error instanceof StepError || error.code === "ENOENT";
    process.stderr.write(`${known ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
