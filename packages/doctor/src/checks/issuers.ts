import { createGuardedFetch } from "@aiplatform/guarded-fetch";
import { type IdentityConfig, type Issuer, IssuerKeys } from "@aiplatform/identity/checkup";
import { errors } from "jose";
import { type Check, type Finding, failed, fine, reasonOf, warning } from "../check.ts";

/** A key that no issuer has. */
const noKey = { alg: "ES256", kid: "doctor" };
const emptyToken = { payload: "", signature: "" };
const mostBytes = 1024 * 1024;

/** The identity providers: discovery and keys, read as identity reads them. */
export const issuers: Check = {
  name: "issuer",
  looks: (services) =>
    services.flatMap((service) =>
      service.kind === "identity"
        ? service.config.OIDC_ISSUERS.map((issuer) => ({
            of: [service.name],
            remedy: "mend the issuer in OIDC_ISSUERS",
            run: () => look(issuer, service.config),
          }))
        : [],
    ),
};

async function look(
  issuer: Issuer,
  { OUTBOUND_ALLOWED_NETWORKS: allowedNetworks }: IdentityConfig,
): Promise<Finding[]> {
  await using outbound = createGuardedFetch({
    allowedNetworks,
    timeoutMs: 10_000,
    maxBytes: mostBytes,
    allowHttp: true,
  });
  let why: unknown;
  const ignored: string[] = [];
  const keys = new IssuerKeys(issuer, {
    outbound,
    now: () => new Date(),
    onFailure: (error) => {
      why = error;
    },
    onIgnored: (some) => ignored.push(JSON.stringify(some)),
  });
  const where = `${issuer.issuer} for audience ${issuer.audience}`;
  try {
    await keys.find(noKey, emptyToken);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey))
      return [failed(`${where}: ${reasonOf(why ?? error)}`, remedyFor(issuer))];
  }
  const strange = ignored.map((text) =>
    warning(`${where} publishes keys that are not believed: ${text}`, "docs/identity-provider.md says which keys are"),
  );
  return [fine(`${where} publishes its keys`), ...strange];
}

function remedyFor({ jwksUri }: Issuer): string {
  const where =
    jwksUri === undefined
      ? "issuer has to be what its /.well-known/openid-configuration says of itself"
      : "jwks_uri has to answer a JSON Web Key Set";
  return `in OIDC_ISSUERS ${where}; a private address has to be in OUTBOUND_ALLOWED_NETWORKS`;
}
