import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { RunningService } from "@aiplatform/service-host";

const entry = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Starts identity as a process of its own, and resolves when it says that it is ready. */
export async function startIdentityProcess(
  environment: Record<string, string>,
): Promise<AsyncDisposable & Pick<RunningService, "addresses">> {
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
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
