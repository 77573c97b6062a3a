import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "@aiplatform/local-platform";

const program = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
/** A first start trains a model. */
const startsWithinMs = 150_000;

/** `npm start` without npm in between, so that its process is the one we hold. */
export class Launcher {
  readonly #child: ChildProcess;
  stdout = "";
  stderr = "";
  /** The exit code; null when it was killed. */
  readonly ended: Promise<number | null>;

  constructor(...args: string[]) {
    const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      this.stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk) => {
      this.stderr += chunk;
    });
    this.ended = once(child, "close").then(([code]) => code);
  }

  /** What it has printed, once that contains a text. */
  async prints(text: string): Promise<string> {
    const printed = () => this.stdout.includes(text) || this.#child.exitCode !== null || undefined;
    const otherwise = () => new Error(`nothing was printed; standard error: ${this.stderr}`);
    await until(printed, { withinMs: startsWithinMs, otherwise });
    if (this.#child.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
    return this.stdout;
  }

  /** Sends a signal, and answers the exit code when it is gone. */
  end(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended;
  }
}
