// Starts the platform on this machine: installs what is missing, then hands over to the launcher on our own Node.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { install, root, runMain, StepError, sourceNode, toolEnvironment } from "./install.mjs";

const launcher = join(root, "packages", "local-platform", "src", "main.ts");
const parentLookMs = 1000;

runMain(async () => {
  const installing = new AbortController();
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    if (child) child.kill(signal);
    else installing.abort(new StepError(`stopped while installing packages (${signal})`));
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  // npm does not always pass a signal on, and cannot when it is killed: without it a user could not stop us.
  const parent = process.ppid;
  const look = () => process.ppid !== parent && stop("SIGTERM");
  if (process.env["npm_lifecycle_event"]) setInterval(look, parentLookMs).unref();
  await install({ signal: installing.signal });
  installing.signal.throwIfAborted();
  // The launcher notices through the channel when this process is gone, however it ended.
  child = spawn(sourceNode(), [launcher, "--directory", join(root, ".local"), ...process.argv.slice(2)], {
    cwd: root,
    env: toolEnvironment(),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("exit", (code) => process.exit(code ?? 1));
});
