import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { Launcher } from "./launcher.ts";
import { type Json, until } from "./rest.ts";

/** A directory that `npm start` runs in, again and again. Its end stops what still runs there. */
export class StartDirectory implements AsyncDisposable {
  readonly path: string;
  readonly #launchers: Launcher[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<StartDirectory> {
    return new StartDirectory(await mkdtemp(join(tmpdir(), "npm-start-")));
  }

  start(...args: string[]): Launcher {
    const launcher = new Launcher("--directory", this.path, ...args);
    this.#launchers.push(launcher);
    return launcher;
  }

  /** What it wrote for shells. */
  async variables(): Promise<NodeJS.Dict<string>> {
    return parseEnv(await readFile(join(this.path, "platform.env"), "utf8"));
  }

  get #record(): string {
    return join(this.path, "secrets", "demo.json");
  }

  /** What it keeps of the demo. */
  async readRecord(): Promise<Json> {
    return JSON.parse(await readFile(this.#record, "utf8"));
  }

  async writeRecord(record: Json): Promise<void> {
    await writeFile(this.#record, JSON.stringify(record));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#launchers.map((launcher) => launcher.end("SIGINT")));
    await rm(this.path, { recursive: true, force: true });
  }
}

function refused(address: string): Promise<boolean> {
  const [host = "", port] = address.replace("http://", "").split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) }, () => socket.destroy());
    socket.on("error", () => resolve(true)).on("close", () => resolve(false));
  });
}

/** Resolves when no address takes a connection. */
export async function allRefused(...addresses: string[]): Promise<void> {
  const refusals = () => Promise.all(addresses.map(refused));
  await until("nothing to listen", 30, refusals, (seen) => seen.every(Boolean));
}
