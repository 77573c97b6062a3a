import type { StepContext, StepDependencies } from "../step.ts";

/** Time that another service has for one answer to a step, ms. */
const patienceMs = 20_000;

/** Options of a call that a step makes in the name of who published it. Throws DelegationMissingError. */
export function delegatedCall(
  { delegations }: Pick<StepDependencies, "delegations">,
  { organisationId, delegationId, signal }: Pick<StepContext, "organisationId" | "delegationId" | "signal">,
): { headers: Headers; timeoutMs: number; signal: AbortSignal } {
  return { headers: delegations.headers(organisationId, delegationId), timeoutMs: patienceMs, signal };
}
