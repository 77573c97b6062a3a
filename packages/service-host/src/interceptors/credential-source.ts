import { type CredentialSource, type FailedCredentialLimiter, networkOf } from "@aiplatform/caller-identity";
import type { Request } from "../call-end.ts";
import { peerKey } from "../current-call.ts";

/** The address that a call comes from, with a bound on how many bad credentials come from it. */
export function credentialSource(
  failed: Pick<FailedCredentialLimiter, "attempt">,
): (request: Request) => CredentialSource {
  return ({ contextValues }) => {
    const address = () => contextValues.get(peerKey)?.() ?? "";
    return { address, guard: (ask) => failed.attempt(networkOf(address()), ask) };
  };
}
