import type { Operation } from "@aiplatform/client/operations";
import { UsageError } from "./exit-codes.ts";
import type { Invocation } from "./invocation.ts";

/** Operations besides removals that cannot be taken back, or stop what works. */
const irrevocable = new Set([
  "deactivateMember",
  "rotateApiKey",
  "stopDeployment",
  "cancelAutomationRun",
  "sendEmailDraft",
]);

/** Whether the user must confirm the operation with these values. */
export function isDestructive(
  { id, method }: Pick<Operation, "id" | "method">,
  { action }: { action?: unknown },
): boolean {
  return method === "DELETE" || irrevocable.has(id) || action === "abort";
}

/**
 * Asks the user to confirm, unless `--yes` was given.
 * @throws UsageError when the user declines, or when there is no terminal: programs pass `--yes`
 */
export async function confirm(
  what: string,
  { yes, stdin }: { yes: boolean } & Pick<Invocation, "stdin">,
): Promise<void> {
  if (yes) return;
  if (!stdin.isTerminal)
    throw new UsageError(`this cannot be taken back: ${what} needs --yes when there is no terminal`);
  const answer = await stdin.ask(`${what}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("nothing was done");
}
