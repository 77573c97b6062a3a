// Node built-ins and old syntax only: this runs before anything is installed, on whatever Node the machine has.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {readonly [program: string, args: readonly string[]]} Command
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, resolved?: string, integrity?: string }} LockedPackage
 * @typedef {Record<string, LockedPackage>} LockedPackages Packages by their path, as lock files have them.
 */

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const lockFile = join(root, "package-lock.json");
const stampFile = join(root, "node_modules", ".installed-lock-hash");
/** Oldest Node that runs our sources as they are, without the one that the packages bring. */
const minNode = 24;

/** A step of ours could not be done; the message is one sentence with a remedy. */
export class StepError extends Error {
  /** @override */
  name = "StepError";
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/**
 * The packages of a lock file.
 * @param {string} path
 * @returns {LockedPackages}
 */
export const lockedPackages = (path = lockFile) => readJson(path).packages;

function installedAsLocked() {
  const hash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === hash) return true;
  // The user may have run npm by hand: npm's own record of what it installed says the same.
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = lockedPackages(record);
  const missing = Object.entries(lockedPackages()).filter(([path, { optional, version }]) => {
    const found = installed[path];
    // A workspace is a link without a version: one that was added is missing all the same.
    return path.includes("node_modules/") && !optional && (found === undefined || found.version !== version);
  });
  if (missing.length > 0) return false;
  writeFileSync(stampFile, hash);
  return true;
}

/**
 * Runs a program to its end with our input and output, and answers its exit code.
 * @param {Command} command
 * @param {{ env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export function run([program, args], { env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    // What it says goes to standard error: standard output belongs to `--json`.
    const child = spawn(program, args, { cwd: root, env, stdio: ["inherit", 2, 2] });
    child.on("error", reject).on("close", (code) => resolve(code ?? 1));
  });
}

/**
 * Runs a program to its end and answers its exit code and all that it said. `show` gets that, too, while it runs. `signal`
 * stops the program, and the run then fails with its reason.
 * @param {Command} command
 * @param {{ env?: NodeJS.ProcessEnv, show?: NodeJS.WritableStream, signal?: AbortSignal }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture([program, args], { env = process.env, show, signal } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal && { signal }),
    });
    let output = "";
    /** @param {Buffer} chunk */
    const take = (chunk) => {
      output += chunk;
      show?.write(chunk);
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child
      .on("error", (error) => reject(signal?.aborted ? signal.reason : error))
      .on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * `npm` as it was called, or the one on the PATH.
 * @param {string[]} args
 * @returns {Command}
 */
export function npmCommand(...args) {
  const path = process.env["npm_execpath"];
  return path && /\.c?js$/.test(path) ? [process.execPath, [path, ...args]] : ["npm", args];
}

/**
 * Installs the locked packages unless they are there. `signal` gives it up.
 * @param {{ signal?: AbortSignal }} options
 */
export async function install(options = {}) {
  if (!installedAsLocked()) await installPackages(options);
  linkNode();
}

/** @param {{ signal?: AbortSignal }} options */
async function installPackages(options) {
  process.stderr.write("installing packages (npm ci), about a minute the first time\n");
  const { code, output } = await capture(npmCommand("ci", "--no-audit", "--no-fund"), options);
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

/** The Node that the packages bring for this platform; undefined when there is none. */
function packagedNode() {
  /** @type {{ optionalDependencies?: Record<string, string> }} */
  const { optionalDependencies = {} } = readJson(join(root, "package.json"));
  const name = Object.keys(optionalDependencies).find((each) => each.endsWith(`-${process.platform}-${process.arch}`));
  const home = name && join(root, "node_modules", name);
  if (!home || !existsSync(home)) return undefined;
  /** @type {{ bin: { node: string } }} */
  const { bin } = readJson(join(home, "package.json"));
  return join(home, bin.node);
}

/**
 * Makes `node_modules/.bin/node` where npm has left it out, as npm 10 does: the packages of other platforms, which it skips,
 * have a program of the same name. It puts our Node on the PATH of every `npm run`.
 */
export function linkNode() {
  const bin = join(root, "node_modules", ".bin");
  const node = packagedNode();
  if (!node || existsSync(join(bin, "node"))) return;
  try {
    symlinkSync(relative(bin, node), join(bin, "node"));
  } catch {
    // Another process was faster, or the folder belongs to another user: sourceNode() does not need the link.
  }
}

/** The Node to run our sources with: the one the packages bring, else this one if it is new enough. */
export function sourceNode() {
  const packaged = packagedNode();
  if (packaged) return packaged;
  const { node: version } = process.versions;
  if (Number(version.split(".")[0]) >= minNode) return process.execPath;
  if (!existsSync(join(root, "node_modules"))) throw new StepError("The packages are not installed: run npm ci.");
  throw new StepError(
    `Node ${minNode} or newer is needed here, and this is v${version}: install it, or run npm ci with optional packages.`,
  );
}

/** This environment with the tools of the packages first on the PATH. */
export function toolEnvironment() {
  const path = `${join(root, "node_modules", ".bin")}:${process.env["PATH"]}`;
  // Node keeps compiled sources here: a service that starts from sources takes a third less CPU.
  return { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"), ...process.env, PATH: path };
}

/**
 * Ends this process with a sentence instead of a stack trace when `main` fails in a way we know.
 * @param {() => Promise<void>} main
 */
export function runMain(main) {
  main().catch((error) => {
    const known = error instanceof StepError || error.code === "ENOENT";
    process.stderr.write(`${known ? error.message : error.stack}\n`);
    process.exitCode = 1;
  });
}
