// Node built-ins and old syntax only: this runs before anything is installed, on whatever Node the machine has.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".installed-lock-hash");
/** Oldest Node that runs our sources as they are, without the one that the packages bring. */
const minNode = 24;

/** A step of ours could not be done; the message is one sentence with a remedy. */
export class StepError extends Error {
  name = "StepError";
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

function installedAsLocked() {
  const hash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return true;
  // The user may have run npm by hand: npm's own record of what it installed says the same.
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const locked = readJson(lockFile).packages;
  const installed = readJson(record).packages;
  const missing = Object.entries(locked).filter(
    // A workspace is a link without a version: one that was added is missing all the same.
    ([path, entry]) =>
      path.includes("node_modules/") &&
      !entry.optional &&
      (installed[path] === undefined || installed[path].version !== entry.version),
  );
  if (missing.length > 0) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/**
 * Runs a program to its end with our output and answers its exit code. With `capture`, answers `{ code, output }`
 * and nothing is shown, unless `show` is a stream: it gets all of it, too. `signal` stops the program, and the run then
 * fails with its reason.
 */
export function run(command, args, { env = process.env, capture = false, quiet = false, show, signal } = {}) {
  return new Promise((resolve, reject) => {
    // What it says goes to standard error: standard output belongs to `--json`.
    const stdio = capture || quiet ? ["ignore", "pipe", "pipe"] : ["inherit", 2, 2];
    const child = spawn(command, args, { cwd: root, env, stdio, signal });
    let output = "";
    const take = (chunk) => {
      output += chunk;
      show?.write(chunk);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child
      .on("error", (error) => reject(signal?.aborted ? signal.reason : error))
      .on("close", (code) => resolve(capture ? { code: code ?? 1, output } : (code ?? 1)));
  });
}

/** `npm` as it was called, or the one on the PATH. */
export function npmCommand(...args) {
  const path = process.env.npm_execpath;
  return path && /\.c?js$/.test(path) ? [process.execPath, [path, ...args]] : ["npm", args];
}

/** Installs the locked packages unless they are there. `signal` gives it up. */
export async function install({ signal } = {}) {
  if (!installedAsLocked()) await installPackages(signal);
  linkNode();
}

async function installPackages(signal) {
  process.stderr.write("installing packages (npm ci), about a minute the first time\n");
  const [command, args] = npmCommand("ci", "--no-audit", "--no-fund");
  const { code, output } = await run(command, args, { capture: true, signal });
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

/** The Node that the packages of `directory` bring for this platform; undefined when there is none. */
export function packagedNode(directory = root) {
  const { optionalDependencies = {} } = readJson(join(directory, "package.json"));
  const name = Object.keys(optionalDependencies).find((each) => each.endsWith(`-${process.platform}-${process.arch}`));
  const home = name && join(directory, "node_modules", name);
  if (!home || !existsSync(home)) return undefined;
  return join(home, readJson(join(home, "package.json")).bin.node);
}

/**
 * Makes `node_modules/.bin/node` where npm has left it out, as npm 10 does: the packages of other platforms, which it skips,
 * have a program of the same name. It puts our Node on the PATH of every `npm run`.
 */
export function linkNode(directory = root) {
  const bin = join(directory, "node_modules", ".bin");
  const node = packagedNode(directory);
  if (!node || existsSync(join(bin, "node"))) return;
  try {
    symlinkSync(relative(bin, node), join(bin, "node"));
  } catch {
    // Another process was faster, or the folder belongs to another user: sourceNode() does not need the link.
  }
}

/** The Node to run our sources with: the one the packages bring, else this one if it is new enough. */
export function sourceNode(directory = root, version = process.versions.node) {
  const packaged = packagedNode(directory);
  if (packaged) return packaged;
  if (Number(version.split(".")[0]) >= minNode) return process.execPath;
  if (!existsSync(join(directory, "node_modules"))) throw new StepError("The packages are not installed: run npm ci.");
  throw new StepError(
    `Node ${minNode} or newer is needed here, and this is v${version}: install it, or run npm ci with optional packages.`,
  );
}

/** This environment with the tools of the packages first on the PATH. */
export function toolEnvironment(more = {}) {
  const path = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;
  // Node keeps compiled sources here: a service that starts from sources takes a third less CPU.
  const compiled = { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"), ...process.env };
  return { ...compiled, PATH: path, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...more };
}

/** Ends this process with a sentence instead of a stack trace when `main` fails in a way we know. */
export function runMain(main) {
  main().catch((error) => {
    const known = error instanceof StepError || error.code === "ENOENT";
    process.stderr.write(`${known ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
