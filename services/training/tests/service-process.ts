import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentOf, type Home, verificationKeys } from "./training-rig.ts";

const entry = fileURLToPath(new URL("serve-with-keys.ts", import.meta.url));

/** One replica as a real process, which can be killed and started again at the same address. */
export class ServiceProcess implements AsyncDisposable {
  readonly #home: Home;
  readonly #settings: Record<string, string>;
  readonly #clockAheadMs: number;
  #process: ChildProcess | undefined;
  #port = "0";
  /** How often it was killed; each time was seen to be by the signal. */
  kills = 0;
  /** `host:port` */
  address = "";
  /** `http://host:port` of health and metrics. */
  admin = "";

  constructor(home: Home, settings: Record<string, string> = {}, { clockAheadMs = 0 }: { clockAheadMs?: number } = {}) {
    this.#home = home;
    this.#settings = settings;
    this.#clockAheadMs = clockAheadMs;
  }

  /** Starts the process, and resolves when it is ready. */
  async start(): Promise<this> {
    const settings = { ...this.#settings, GRPC_PORT: this.#port, VERIFICATION_KEYS: verificationKeys() };
    const env = { PATH: process.env["PATH"] ?? "", ...environmentOf(this.#home, settings) };
    const child = spawn(process.execPath, [...withClock(this.#clockAheadMs), entry], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
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

  /** Kills the process as a power cut would. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    if (child.signalCode !== "SIGKILL") throw new Error("the service ended before it was killed");
    this.kills++;
    this.#process = undefined;
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
