import { exited, isRunning, lastLines, spawnGuarded, stopProcess } from "../infra/processes/guarded-process.ts";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";
import type { Programs } from "../infra/programs/programs.ts";

const withinMs = 180_000;

/**
 * Runs a trainer until its job has ended, and it with it.
 * @throws Error when it does not end well, or not in three minutes
 */
export async function trainToEnd(
  { name, main, env, graceMs }: ProcessPlan,
  { programs, logFile, signal }: { programs: Programs; logFile: string; signal: AbortSignal | undefined },
): Promise<void> {
  const program = programs(main);
  const settings = { ...program.env, ...env, EXIT_WHEN_ENDED: "true", STEPS_PER_SECOND: "0" };
  const child = spawnGuarded({ command: process.execPath, args: program.args, env: settings, logFile });
  const over = AbortSignal.any([AbortSignal.timeout(withinMs), ...(signal ? [signal] : [])]);
  const stop = () => void stopProcess(child, graceMs);
  over.addEventListener("abort", stop, { once: true });
  if (over.aborted) stop();
  await exited(child);
  over.removeEventListener("abort", stop);
  if (isRunning(child) || over.aborted || child.exitCode !== 0) {
    const said = lastLines(logFile).map((line) => `  ${line}`);
    throw new Error([`the ${name} has not trained the run to its end. The end of ${logFile}:`, ...said].join("\n"));
  }
}
