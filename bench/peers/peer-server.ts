import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "@aiplatform/local-platform";
import { pythonWithPackages } from "../../tests/notebooks/python-packages.ts";

const startSeconds = 180;
/** Characters of a log that an error shows. */
const logEnd = 4_000;

/** A server of another project, from PyPI. */
export interface Peer {
  /** Also the folder of its packages in the cache. */
  readonly name: string;
  /** What to run, `python -m` left out. */
  readonly args: (port: number) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers 200 once it is ready. */
  readonly healthPath: string;
}

export interface PeerServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts it in this folder, after fetching its packages once. @throws Error with the end of its log when it does not become ready */
export async function startPeer(
  { name, args, env, healthPath }: Peer,
  { directory }: { directory: string },
): Promise<PeerServer> {
  const requirements = join(import.meta.dirname, `${name}-requirements.txt`);
  const announcement = `fetching the packages of ${name}; this takes minutes once`;
  const wanted = { name: `peer-${name}`, requirements, announcement, installTimeoutMs: 900_000 };
  const packages = await pythonWithPackages(wanted);
  const port = await freePort();
  const logFile = join(directory, "log");
  await using log = await open(logFile, "w");
  const child = spawn(packages.python, ["-m", ...args(port)], {
    cwd: directory,
    env: { PATH: process.env["PATH"], HOME: directory, ...packages.env, ...env },
    stdio: ["ignore", log.fd, log.fd],
    // Its workers are processes of their own: the group ends as a whole.
    detached: true,
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = () => ended(child);
  const until = performance.now() + startSeconds * 1_000;
  while (!(await isReady(url + healthPath))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() > until) {
      await stop();
      const problem = hasEnded ? "ended before it was ready" : `did not become ready in ${startSeconds} s`;
      throw new Error(`${name} ${problem}. The end of its log:\n${(await readFile(logFile, "utf8")).slice(-logEnd)}`);
    }
    await delay(250);
  }
  return { url, [Symbol.asyncDispose]: stop };
}

const isReady = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exit = once(child, "exit");
  process.kill(-child.pid, "SIGKILL");
  await exit;
}
