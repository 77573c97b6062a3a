import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { RunningService } from "@aiplatform/service-host";

const entry = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Identity in a process of its own; ended politely when it is disposed of. */
export interface IdentityProcess extends AsyncDisposable, Pick<RunningService, "addresses"> {
  /** Ends it as a power cut would, and resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts identity as a process of its own, and resolves when it says that it is ready. */
export async function startIdentityProcess(environment: Record<string, string>): Promise<IdentityProcess> {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const ready = Promise.withResolvers<RunningService["addresses"]>();
  createInterface(child.stdout).on("line", (line) => {
    const message: { msg?: string; addresses?: RunningService["addresses"] } = JSON.parse(line);
    if (message.msg === "ready" && message.addresses) ready.resolve(message.addresses);
  });
  ended.then(() => ready.reject(new Error("identity ended before it was ready")), ready.reject);
  const addresses = await ready.promise;
  return {
    addresses,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
