import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programEnvironment } from "@aiplatform/testkit";

/** The trainer as a process of its own. */
export class TrainerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  /** What it wrote to standard error. */
  complaints = "";

  constructor(main: string, env: Record<string, string>) {
    const all = { ...programEnvironment(), ...env };
    this.#child = spawn(process.execPath, [main], { env: all, stdio: ["ignore", "ignore", "pipe"] });
    this.#child.stderr?.on("data", (text) => {
      this.complaints += text;
    });
    this.#ended = once(this.#child, "exit");
  }

  /** Resolves with its exit code when it has ended. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
    if (this.#child.signalCode !== "SIGKILL") throw new Error("the trainer had ended before it was killed");
  }

  /** Asks it to stop; resolves with its exit code. */
  terminate(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    return this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}
