import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { verificationKeys } from "./test-callers.ts";
import { environmentOf, programEnvironment, type TestEnvironment } from "./test-environment.ts";

/** How a replica runs. */
export interface ServiceProcessOptions {
  /** Its program: it reads VERIFICATION_KEYS, and prints `ready` with its addresses. */
  readonly program: URL;
  readonly home: TestEnvironment;
  readonly settings?: Record<string, string>;
  /** How far the clock that it believes is ahead of the system's, in milliseconds. Default 0. */
  readonly clockAheadMs?: number;
  /** Hears what its program sends by `process.send`. */
  readonly heard?: (message: unknown) => void;
}

/** One replica as a real process, which can be killed and started again at the same address. */
export class ServiceProcess implements AsyncDisposable {
  readonly #options: ServiceProcessOptions;
  #process: ChildProcess | undefined;
  #port = "0";
  /** How often it was killed; each time was seen to be by the signal. */
  kills = 0;
  /** `host:port` */
  address = "";
  /** `http://host:port` of health and metrics. */
  admin = "";

  constructor(options: ServiceProcessOptions) {
    this.#options = options;
  }

  /** Starts the process, and resolves when it is ready. */
  async start(): Promise<this> {
    const { program, home, settings = {}, clockAheadMs = 0 } = this.#options;
    const own = { ...settings, GRPC_PORT: this.#port, VERIFICATION_KEYS: verificationKeys() };
    const env = { ...programEnvironment(), ...environmentOf(home, own) };
    const stdio = ["ignore", "pipe", "inherit", "ipc"] as const;
    const child = spawn(process.execPath, [...withClock(clockAheadMs), fileURLToPath(program)], {
      env,
      stdio: [...stdio],
    });
    this.#process = child;
    if (this.#options.heard) child.on("message", this.#options.heard);
    if (!child.stdout) throw new Error("the service has no output");
    for await (const line of createInterface({ input: child.stdout })) {
      const message: { msg?: string; addresses?: { grpc: string; admin: string } } = JSON.parse(line);
      if (message.msg !== "ready" || !message.addresses) continue;
      this.address = message.addresses.grpc;
      this.admin = message.addresses.admin;
      break;
    }
    child.stdout.resume();
    if (this.address === "") throw new Error("the service ended before it was ready");
    this.#port = this.address.split(":").at(-1) ?? "0";
    return this;
  }

  /** Of the process that runs; undefined while none does. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Memory that the process takes, bytes; its program answers each message with it. */
  async residentBytes(): Promise<number> {
    const child = this.#process;
    if (!child) throw new Error("the service does not run");
    child.send("rss");
    const [bytes] = await once(child, "message");
    return Number(bytes);
  }

  /** Kills the process as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    // At once: a caller that sees its call fail may start the next process before this one is seen to be dead.
    this.#process = undefined;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    if (child.signalCode !== "SIGKILL") throw new Error("the service ended before it was killed");
    this.kills++;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Arguments with which Node believes a wrong system clock. */
function withClock(aheadMs: number): string[] {
  if (aheadMs === 0) return [];
  const program = `
    const { Date: Right } = globalThis;
    globalThis.Date = class extends Right {
      constructor(...given) { given.length === 0 ? super(Right.now() + ${aheadMs}) : super(...given); }
      static now() { return Right.now() + ${aheadMs}; }
    };`;
  return ["--import", `data:text/javascript,${encodeURIComponent(program)}`];
}
