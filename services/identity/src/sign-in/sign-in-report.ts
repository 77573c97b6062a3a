import type { Logger } from "@aiplatform/service-host";
import type { SignInProblem } from "./sign-in-page.ts";

/** How a sign-in ended: for the operator, who sees neither the person nor what they came with. */
export interface SignInOutcome {
  provider: string;
  outcome: SignInProblem;
  /** What was thrown, where something was. */
  error?: unknown;
}

export type SignInReport = (outcome: SignInOutcome) => void;

/** Failures of the provider are warnings, what keeps a person out is not. */
const isOfProvider: ReadonlySet<SignInProblem> = new Set([
  "provider_timeout",
  "provider_unavailable",
  "provider_refused",
  "response_invalid",
  "code_refused",
]);

/** Writes them to the log. */
export function signInReport(logger: Pick<Logger, "info" | "warn">): SignInReport {
  return ({ provider, outcome, error }) => {
    const facts = { provider, outcome, ...(error === undefined ? {} : { reason: reasonsOf(error) }) };
    if (isOfProvider.has(outcome)) logger.warn(facts, "a sign-in failed at the identity provider");
    else logger.info(facts, "a sign-in was refused");
  };
}

/**
 * The messages of an error and its causes. Nothing else of them: they carry answers of the provider, and those carry tokens. The JSON
 * parser's own message quotes the answer, so that only its name is taken.
 */
function reasonsOf(error: unknown): string {
  const reasons: string[] = [];
  for (let each: unknown = error; each instanceof Error && reasons.length < 5; each = each.cause) {
    reasons.push(each instanceof SyntaxError ? each.name : `${each.name}: ${each.message}`);
  }
  return reasons.join("; ").slice(0, 1_000);
}
