import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { promisify } from "node:util";
import type { WireRequest } from "./damaged-requests.ts";

const run = promisify(execFile);
const here = import.meta.dirname;

/** What the reference makes of a request, and whether another answer is the same. */
export interface Verdict {
  readonly same: boolean;
  readonly status: number;
  readonly answer: string;
}

/** An answer to be compared with the reference's. */
export interface GivenAnswer {
  readonly status: number;
  readonly text: string;
}

/** The reference application, answering in a process of its own. */
export class ReferenceProcess implements Disposable {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #verdicts: AsyncIterator<string>;
  readonly #lines: Interface;

  private constructor(process: ChildProcessWithoutNullStreams) {
    this.#process = process;
    this.#lines = createInterface(process.stdout);
    this.#verdicts = this.#lines[Symbol.asyncIterator]();
  }

  /** Starts it. The first time its packages are fetched from PyPI. */
  static async start(): Promise<ReferenceProcess> {
    const python = await findPython();
    const env = { ...process.env, PYTHONPATH: await packages(python), PYTHONNOUSERSITE: "1" };
    const child = spawn(python, ["-u", "answer_requests.py"], { cwd: here, env });
    child.stderr.pipe(process.stderr);
    return new ReferenceProcess(child);
  }

  /** Compares an answer with the reference's own. One at a time. */
  async compare({ method, target, contentType, body }: WireRequest, given: GivenAnswer): Promise<Verdict> {
    const headers = [
      ["authorization", "Bearer x"],
      ...(contentType === undefined ? [] : [["content-type", contentType]]),
    ];
    const line = { method, target, headers, body: body.toString("base64"), status: given.status, answer: given.text };
    this.#process.stdin.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await this.#verdicts.next();
    if (done === true) throw new Error("the reference has ended; its last words are above");
    return JSON.parse(value);
  }

  [Symbol.dispose](): void {
    this.#process.stdin.end();
    this.#lines.close();
    this.#process.kill();
  }
}

/** The reference words broken JSON as CPython up to 3.12 does. */
async function findPython(): Promise<string> {
  for (const name of ["python3.11", "python3.12", "python3", "python"]) {
    const found = await run(name, ["-c", "import pip, sys; print(sys.version_info[:2] in ((3, 11), (3, 12)))"]).catch(
      () => undefined,
    );
    if (found?.stdout.trim() === "True") return name;
  }
  throw new Error(
    "the reference needs Python 3.11 or 3.12 with pip on the PATH: later ones word broken JSON differently",
  );
}

async function packages(python: string): Promise<string> {
  const requirements = join(here, "requirements.txt");
  const { stdout: version } = await run(python, ["-VV"]);
  const name = createHash("sha256")
    .update(await readFile(requirements))
    .update(version)
    .digest("hex")
    .slice(0, 16);
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "aiplatform");
  const directory = join(cache, `reference-${name}`);
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  if (isThere) return directory;
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(`${directory}.fetching-`);
  try {
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"];
    await run(python, ["-m", "pip", "install", ...options, "--target", scratch, "--requirement", requirements]);
    // Another process may have been faster.
    await rename(scratch, directory).catch(() => undefined);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return directory;
}
