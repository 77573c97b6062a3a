import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lastLines } from "../infra/processes/guarded-process.ts";
import { ProcessStartError } from "../infra/processes/supervised-process.ts";
import type { LocalPlatform } from "./local-platform.ts";

/** Where a debugger connects to the watched service. */
export const debuggerAddress = "127.0.0.1:9229";
/** An editor writes several files at once. */
const settleMs = 150;
/** An error of Node begins with the place in the source, above its stack. */
const maxLines = 40;

export class UnknownServiceError extends Error {
  override name = "UnknownServiceError";
}

/** @throws UnknownServiceError, which names those that there are */
export async function assertService(repository: string, name: string): Promise<void> {
  const services = await readdir(join(repository, "services"));
  if (!services.includes(name)) throw new UnknownServiceError(`no service is called ${name}: ${services.join(", ")}`);
}

interface Watching {
  /** The folder of the repository. */
  readonly repository: string;
  readonly service: string;
  readonly log: (line: string) => void;
}

/** Starts a service again whenever its sources, or those of a package, change. */
export class WatchedService implements AsyncDisposable {
  readonly #platform: Pick<LocalPlatform, "restart">;
  readonly #watching: Watching;
  readonly #watchers: FSWatcher[];
  readonly #running: Promise<void>;
  #changed = Promise.withResolvers<string>();
  #isOver = false;

  constructor(platform: Pick<LocalPlatform, "restart">, watching: Watching) {
    this.#platform = platform;
    this.#watching = watching;
    const { repository, service } = watching;
    const folders = [join(repository, "services", service, "src"), join(repository, "packages")];
    this.#watchers = folders.map((folder) => watch(folder, { recursive: true }, (_, file) => this.#note(folder, file)));
    this.#running = this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    for (const watcher of this.#watchers) watcher.close();
    this.#changed.resolve("");
    await this.#running;
  }

  #note(folder: string, file: string | null): void {
    if (file === null || !/\.(ts|js|json)$/.test(file) || /\.test\.ts$|node_modules|[\\/]tests[\\/]/.test(file)) return;
    this.#changed.resolve(relative(this.#watching.repository, join(folder, file)));
  }

  async #run(): Promise<void> {
    for (;;) {
      const file = await this.#changed.promise;
      if (this.#isOver) return;
      await delay(settleMs);
      this.#changed = Promise.withResolvers();
      await this.#restart(file);
    }
  }

  async #restart(file: string): Promise<void> {
    const { service, log } = this.#watching;
    const startedAt = performance.now();
    try {
      await this.#platform.restart(service);
      log(`${service} runs again with ${file} (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)`);
    } catch (error) {
      if (!(error instanceof ProcessStartError)) throw error;
      log(`${service} ${error.why}:`);
      for (const line of lastLines(error.logFile, maxLines)) log(`  ${line}`);
      log(`${service} is started again with the next change`);
    }
  }
}
