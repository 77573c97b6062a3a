import type { ContextSigner } from "@aiplatform/caller-identity";
import { CallerContextSchema } from "@aiplatform/contract/aiplatform/access/v1/caller_context";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { CallerIssuer } from "./caller-issuer.ts";

export function credentialRoutes(
  router: ConnectRouter,
  { issueCaller, signer }: { issueCaller: CallerIssuer; signer: Pick<ContextSigner, "jwks"> },
): void {
  router.service(CredentialService, {
    async exchangeCredential({ bearer, apiKey }) {
      const { organisationId, memberId, permissions, credentialId, expiresAt, signedContext } = await issueCaller({
        bearer,
        apiKey,
      });
      const named = memberId === undefined ? {} : { memberId };
      const fields = { organisationId, ...named, permissions: [...permissions], credentialId };
      const caller = create(CallerContextSchema, { ...fields, expiresAt: timestampFromDate(expiresAt) });
      return { signedContext, caller };
    },
    getVerificationKeys() {
      return { jwks: signer.jwks() };
    },
  });
}
