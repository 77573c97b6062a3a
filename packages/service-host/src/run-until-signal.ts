import { pino } from "pino";
import type { RunningProcess } from "./platform.ts";
import { SettingsError } from "./settings/read-settings.ts";

const signals = ["SIGTERM", "SIGINT"] as const;
const maxTimerMs = 2 ** 31 - 1;

/**
 * Runs a service as a process: SIGTERM or SIGINT stops it in order, a second one at once. A start that fails says why in
 * one sentence on standard error; any uncaught exception is logged, with the fields that `failed` adds in the context of what
 * threw. Both end the process with code 1.
 */
export async function runUntilSignal(
  start: () => Promise<RunningProcess>,
  failed: () => object = () => ({}),
): Promise<void> {
  const logger = pino({ base: null, messageKey: "msg" });
  const die = (err: unknown, kind: string) => {
    logger.fatal({ ...failed(), err, kind }, "stopping at once: unhandled error");
    process.exit(1);
  };
  process.on("uncaughtException", (error) => die(error, "exception"));
  process.on("unhandledRejection", (error) => die(error, "rejection"));

  // Heard from the first moment: a stop during a slow start is a stop.
  const signalled = new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve());
  });
  const service = await startOrExit(start);
  // What has nothing more to do still runs: without anything open Node would end, as if something had failed.
  const alive = setInterval(() => {}, maxTimerMs);
  logger.info({ service: service.name, addresses: service.addresses }, "ready");
  await signalled;
  clearInterval(alive);
  for (const signal of signals) process.on(signal, () => process.exit(1));
  await service.stop().catch(() => {
    process.exitCode = 1;
  });
  // What still holds the event loop open has had its chance; every step was logged.
  process.exit();
}

async function startOrExit(start: () => Promise<RunningProcess>): Promise<RunningProcess> {
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`${sentence(error)}\n`);
    process.exit(1);
  }
}

function sentence(error: unknown): string {
  if (error instanceof SettingsError) return `Cannot start, ${error.message}`;
  return `Cannot start: ${error instanceof Error ? error.message : String(error)}`;
}
