import type { CredentialExchange } from "@aiplatform/caller-identity";
import type { CallerIssuer } from "./caller-issuer.ts";

/** Contexts of identity's own callers go no further. */
const audience = "identity";

/**
 * Exchanges credentials of identity's own callers: as for any other service, without a call and without
 * remembering, so that nothing has to be evicted. The issuer comes as a promise because calls are wired before the
 * database is reached. It counts bad credentials itself.
 */
export function createLocalExchange(issuer: Promise<CallerIssuer>): CredentialExchange {
  return {
    async exchange(credential, source) {
      const shown = { ...credential, sourceAddress: source?.address() ?? "" };
      const { signedContexts, ...caller } = await (await issuer)(shown, [audience]);
      return { ...caller, signedContext: signedContexts[audience] ?? "" };
    },
    evict: () => undefined,
    onEvict: () => ({ close: () => undefined }),
    isRefusing: false,
  };
}
