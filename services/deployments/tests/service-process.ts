import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { environmentOf, type Home, verificationKeys } from "./deployments-rig.ts";

const entry = fileURLToPath(new URL("serve-with-keys.ts", import.meta.url));

/** One replica as a real process, which can be killed and started again at the same address. */
export class ServiceProcess implements AsyncDisposable {
  readonly #home: Home;
  readonly #settings: Record<string, string>;
  #process: ChildProcess | undefined;
  #port = "0";
  /** How often it was killed; each time was seen to be by the signal. */
  kills = 0;
  /** `host:port` */
  address = "";

  constructor(home: Home, settings: Record<string, string> = {}) {
    this.#home = home;
    this.#settings = settings;
  }

  /** Starts the process, and resolves when it is ready. */
  async start(): Promise<this> {
    const settings = { ...this.#settings, GRPC_PORT: this.#port, VERIFICATION_KEYS: verificationKeys() };
    const env = { PATH: process.env["PATH"] ?? "", ...environmentOf(this.#home, settings) };
    const child = spawn(process.execPath, [entry], { env, stdio: ["ignore", "pipe", "inherit", "ipc"] });
    this.#process = child;
    if (!child.stdout) throw new Error("the service has no output");
    for await (const line of createInterface({ input: child.stdout })) {
      const message: { msg?: string; addresses?: { grpc: string } } = JSON.parse(line);
      if (message.msg !== "ready" || !message.addresses) continue;
      this.address = message.addresses.grpc;
      break;
    }
    child.stdout.resume();
    if (this.address === "") throw new Error("the service ended before it was ready");
    this.#port = this.address.split(":").at(-1) ?? "0";
    return this;
  }

  /** Memory that the process takes, bytes. */
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
