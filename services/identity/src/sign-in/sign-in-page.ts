import type { CredentialRefusal } from "../credentials/credential-refused-error.ts";
import { CredentialRefusedError } from "../credentials/credential-refused-error.ts";
import { IssuerUnavailableError } from "../credentials/issuer-keys.ts";
import { providerFailureOf } from "../oauth-client/provider-errors.ts";
import { OrganisationSuspendedError } from "../organisations/organisation.ts";

/** Why there is no session. The console says each in words, with what to do. */
export const signInProblems = [
  "access_denied",
  "provider_refused",
  "response_invalid",
  "code_refused",
  "provider_timeout",
  "provider_unavailable",
  "provider_unknown",
  "sign_in_unknown",
  "sign_in_expired",
  "sign_in_used",
  "member_unknown",
  "member_inactive",
  "organisation_undecided",
  "organisation_suspended",
] as const;

/** One of them. */
export type SignInProblem = (typeof signInProblems)[number];

/** What of a person who is known to the provider keeps them out. Any other refusal: the provider's answer is no good. */
const refusals: Partial<Record<CredentialRefusal, SignInProblem>> = {
  MEMBER_UNKNOWN: "member_unknown",
  MEMBER_INACTIVE: "member_inactive",
  ORGANISATION_UNDECIDED: "organisation_undecided",
};

/** The problem that an error tells of; undefined where it is a failure of ours. */
export function problemOf(error: unknown): SignInProblem | undefined {
  if (error instanceof CredentialRefusedError) return refusals[error.reason] ?? "response_invalid";
  if (error instanceof OrganisationSuspendedError) return "organisation_suspended";
  if (error instanceof IssuerUnavailableError) return "provider_unavailable";
  return providerFailureOf(error);
}

/** A redirect as the browser gets it. */
export interface SignInPage {
  contentType: string;
  data: Uint8Array;
  status: number;
  location: string;
  setCookie?: string;
  furtherCookies?: string[];
}

/** Sends the browser on. 303: whatever it came with, it reads what is there. */
export function redirect(location: string, setCookie?: string): SignInPage {
  const page = { contentType: "text/html; charset=utf-8", data: new Uint8Array(), status: 303, location };
  return setCookie === undefined ? page : { ...page, setCookie };
}

/** The console's sign-in page, which says what went wrong. `to`: where it leads afterwards. */
export function problemAddress(
  consoleUrl: string,
  problem: SignInProblem,
  { provider, to }: { provider: string; to: string },
): string {
  const query = new URLSearchParams({ problem, provider, ...(to === "/" ? {} : { to }) });
  return `${consoleUrl}/sign-in?${query}`;
}
