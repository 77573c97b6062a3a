import { dirname } from "node:path";
import type { RuntimeConfig } from "./config.ts";
import { startServingRuntime } from "./serving-runtime.ts";

const signals = ["SIGTERM", "SIGINT"] as const;

/**
 * Runs an instance as a process. One line on standard output says where it listens; SIGTERM or SIGINT ends it when what is
 * under way has ended, a second one at once. A start that fails says why in one sentence, and ends with code 1.
 */
export async function runInstance(
  env: Readonly<Record<string, string | undefined>>,
  read: (env: Readonly<Record<string, string | undefined>>) => RuntimeConfig,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  try {
    const config = read(env);
    if (config.SERVING_GUARD === "stdin") endWithStdin();
    const certificate = config.TLS_KEY_FILE && dirname(config.TLS_KEY_FILE);
    const paths = [config.SERVING_MANIFEST, env["SERVING_TOKEN_FILE"], certificate];
    const hidden = paths.filter((path) => path !== undefined);
    const runtime = await startServingRuntime(config, hidden);
    const ports = { port: runtime.port, ...(runtime.grpcPort !== undefined && { grpc_port: runtime.grpcPort }) };
    process.stdout.write(`${JSON.stringify(ports)}\n`);
    await stopped;
    for (const signal of signals) process.on(signal, () => process.exit(1));
    await runtime.stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`Cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

/** The kernel closes our standard input when the process at its other end is gone, however it ended. */
function endWithStdin(): void {
  process.stdin.on("end", () => process.exit(0)).on("error", () => process.exit(0));
  process.stdin.resume();
}
