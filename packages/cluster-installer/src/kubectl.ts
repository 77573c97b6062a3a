import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { InstallError, KubectlError } from "./errors.ts";

/** How a command is given more than its arguments. */
export interface KubectlCall {
  /** What it reads from its standard input. */
  input?: string;
}

/** The kubectl on the PATH, which talks to one cluster. */
export class Kubectl {
  readonly #program: string;
  readonly #context: string | undefined;

  /** `context`: of the kubeconfig; default: its current one. */
  constructor({ context, program = "kubectl" }: { context?: string | undefined; program?: string } = {}) {
    this.#context = context;
    this.#program = program;
  }

  /** Arguments that lead to the same cluster, for commands that people are shown. */
  get place(): string {
    return this.#context === undefined ? "kubectl" : `kubectl --context ${this.#context}`;
  }

  /** Runs it to its end and answers its output. @throws KubectlError, or InstallError where there is no kubectl */
  async run(args: readonly string[], { input }: KubectlCall = {}): Promise<string> {
    const child = this.start(args);
    child.stdin?.on("error", () => undefined).end(input ?? "");
    const code = new Promise<number | null>((resolve, reject) => {
      child.on("error", (error: NodeJS.ErrnoException) => reject(error.code === "ENOENT" ? noKubectl(error) : error));
      child.on("close", resolve);
    });
    const outputs = [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : ""));
    const [ended, output = "", complaints = ""] = await Promise.all([code, ...outputs]);
    if (ended === 0) return output;
    throw new KubectlError(args, lastWords(complaints));
  }

  /** Runs it to its end and answers what it printed as JSON, or undefined when the object is not there. */
  async read<T>(args: readonly string[]): Promise<T | undefined> {
    const output = await this.run([...args, "--ignore-not-found", "--output=json"]);
    return output.trim() === "" ? undefined : (JSON.parse(output) as T);
  }

  /** Starts it, for as long as the caller lets it run. */
  start(args: readonly string[]): ChildProcess {
    const place = this.#context === undefined ? [] : ["--context", this.#context];
    return spawn(this.#program, [...place, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  }
}

function noKubectl(cause: Error): InstallError {
  return new InstallError(
    "There is no kubectl on the PATH: install kubectl 1.30 or newer (https://kubernetes.io/docs/tasks/tools/) and try again.",
    { cause },
  );
}

function lastWords(complaints: string): string {
  return complaints.trim().split("\n").slice(-8).join("\n") || "it did not say why";
}
