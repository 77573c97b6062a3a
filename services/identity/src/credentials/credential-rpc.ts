import { audiencesOf, type ContextSigner, callingServiceKey, meshAudience } from "@aiplatform/caller-identity";
import { CallerContextSchema } from "@aiplatform/contract/aiplatform/access/v1/caller_context";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { CallerIssuer } from "./caller-issuer.ts";

export function credentialRoutes(
  router: ConnectRouter,
  {
    issueCaller,
    signer,
    acceptsMissing,
  }: { issueCaller: CallerIssuer; signer: Pick<ContextSigner, "jwks">; acceptsMissing: boolean },
): void {
  router.service(CredentialService, {
    async exchangeCredential({ bearer, apiKey, sourceAddress }, { values }) {
      const audiences = acceptsMissing ? [meshAudience] : audiencesOf(values.get(callingServiceKey));
      const issued = await issueCaller({ bearer, apiKey, sourceAddress }, audiences);
      const { organisationId, memberId, permissions, credentialId, sessionId, expiresAt, signedContexts } = issued;
      const named = { ...(memberId !== undefined && { memberId }), ...(sessionId !== undefined && { sessionId }) };
      const fields = { organisationId, ...named, permissions: [...permissions], credentialId };
      const caller = create(CallerContextSchema, { ...fields, expiresAt: timestampFromDate(expiresAt) });
      const [audience] = audiences;
      const isOne = audiences.length === 1 && audience !== undefined;
      return isOne ? { signedContext: signedContexts[audience] ?? "", caller } : { signedContexts, caller };
    },
    getVerificationKeys() {
      return { jwks: signer.jwks() };
    },
  });
}
