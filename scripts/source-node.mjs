// Runs a program of this repository on the Node that the packages bring, whatever Node `npm run` has found. With `--install`
// it installs missing packages first:
//
//   node scripts/source-node.mjs [--install] packages/cli/src/main.ts ARGUMENTS…
import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install, linkNode, root, runMain, sourceNode, toolEnvironment } from "./install.mjs";

/** @type {Partial<Record<NodeJS.Signals, number>>} Exit codes that shells give for the signals that end a program. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

runMain(async () => {
  const given = process.argv.slice(2);
  const installs = given[0] === "--install";
  const [program = "", ...args] = installs ? given.slice(1) : given;
  const path = join(root, program);
  if (installs) await install();
  else linkNode();
  const node = sourceNode();
  if (realpathSync(node) === realpathSync(process.execPath)) {
    // This is the right Node already, so the program runs here: a second process would only cost time.
    process.argv.splice(1, process.argv.length, path, ...args);
    await import(pathToFileURL(path).href);
    return;
  }
  const child = spawn(node, [path, ...args], { cwd: process.cwd(), env: toolEnvironment(), stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal && exitCodes[signal]) ?? 1));
});
