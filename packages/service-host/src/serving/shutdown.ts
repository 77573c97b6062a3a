import type { Logger } from "../logger.ts";

/** One thing to do when a service stops. */
export interface ShutdownStep {
  readonly name: string;
  readonly run: () => unknown;
}

/** Some steps of a shutdown failed; the others were done all the same. */
class ShutdownError extends AggregateError {
  override name = "ShutdownError";
  constructor(failures: readonly { step: string; error: unknown }[]) {
    super(
      failures.map(({ error }) => error),
      `stopping failed at: ${failures.map(({ step }) => step).join(", ")}`,
    );
  }
}

/** Does every step in order, logs each with its duration, and goes on when one fails. @throws ShutdownError at the end. */
export async function shutDown(steps: readonly ShutdownStep[], logger: Logger): Promise<void> {
  const failures: { step: string; error: unknown }[] = [];
  for (const [index, { name, run }] of steps.entries()) {
    const number = `${index + 1} of ${steps.length}`;
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      await run();
      logger.info({ step: name, number, ms: elapsed() }, "shutdown step done");
    } catch (error) {
      failures.push({ step: name, error });
      logger.error({ step: name, number, ms: elapsed(), err: error }, "shutdown step failed");
    }
  }
  if (failures.length > 0) throw new ShutdownError(failures);
}
