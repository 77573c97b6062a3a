import type { ExternalLink } from "../../api/platform.ts";

const errors: Readonly<Record<string, string>> = {
  access_denied: "the member declined",
  provider_refused: "the provider refused",
  response_invalid: "the provider's answer could not be used",
  code_refused: "the provider did not accept the code",
  provider_unavailable: "the provider does not answer",
  provider_timeout: "the provider is too slow",
  refresh_refused: "the provider no longer renews it: link it again",
  token_expired: "its token has ended: link it again",
};

/** Why the last attempt or refresh of a link failed, in words. */
export function linkError(error: string): string {
  return errors[error] ?? error;
}

/** Why a link cannot be revoked; undefined when it can. */
export function revokeObjection(status: ExternalLink["status"]): string | undefined {
  if (status === "failed") return "It failed: there are no tokens.";
  return status === "revoked" ? "It is revoked already." : undefined;
}
