import { createContextSigner } from "@aiplatform/caller-identity";
import {
  type Check,
  checkService,
  type Diagnostics,
  type Environment,
  type Finding,
  failed,
  fine,
  hostChecks,
  httpClock,
  peers,
  reasonOf,
  sharedSecret,
  sharedSettings,
  warning,
} from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { createGuardedFetch } from "@aiplatform/guarded-fetch";
import { errors } from "jose";
import { type IdentityConfig, identitySettings, readConfig } from "./config.ts";
import type { Issuer } from "./credentials/issuer.ts";
import { IssuerKeys } from "./credentials/issuer-keys.ts";
import { identityMigrations } from "./stores.ts";

export const diagnostics: Diagnostics<IdentityConfig> = {
  service: "identity",
  settings: identitySettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("identity", config, env),
    ...mongodb(config, identityMigrations),
    ...keys(config, env),
    // The gateway serves the console there.
    ...sharedSettings("address", { PUBLIC_URL: config.PUBLIC_URL, CONSOLE_PATH: config.CONSOLE_PATH }),
    ...peers(config, { urls: { JUPYTERHUB_URL: config.JUPYTERHUB_URL } }),
    ...config.OIDC_ISSUERS.flatMap((issuer) => issuerChecks(issuer, config)),
  ],
};

/** Secrets that every process which has them must have alike. */
const secrets = ["CONTEXT_SIGNING_KEY", "API_KEY_HASH_SECRET", "SECRETS_KEYS", "DELEGATION_SECRET"] as const;

function keys(config: IdentityConfig, env: Environment): Check[] {
  const signing: Check = {
    name: "keys",
    remedy: "CONTEXT_SIGNING_KEY is wrong",
    run: async () => [signingKey(config.CONTEXT_SIGNING_KEY)],
  };
  return [signing, ...secrets.flatMap((name) => sharedSecret(name, config[name], env))];
}

function signingKey(privateKeyPem: string): Finding {
  try {
    createContextSigner({ privateKeyPem, now: () => new Date() });
    return fine("CONTEXT_SIGNING_KEY is an Ed25519 private key");
  } catch (error) {
    const remedy =
      "make one: openssl genpkey -algorithm ed25519; CONTEXT_SIGNING_KEY or its file holds the PEM text whole";
    return failed(`CONTEXT_SIGNING_KEY cannot sign: ${reasonOf(error)}`, remedy);
  }
}

/** A key that no issuer has. */
const noKey = { alg: "ES256", kid: "doctor" };
const emptyToken = { payload: "", signature: "" };
const maxBytes = 1024 * 1024;

/** Discovery and keys, read as the service reads them, and the issuer's clock. */
function issuerChecks(issuer: Issuer, config: IdentityConfig): Check[] {
  const { issuer: name, jwksUri = name } = issuer;
  return [
    { name: "issuer", remedy: "correct the issuer in OIDC_ISSUERS", run: () => lookAtIssuer(issuer, config) },
    httpClock(name, jwksUri),
  ];
}

async function lookAtIssuer(
  issuer: Issuer,
  { OUTBOUND_ALLOWED_NETWORKS: allowedNetworks }: IdentityConfig,
): Promise<Finding[]> {
  await using outbound = createGuardedFetch({ allowedNetworks, timeoutMs: 10_000, maxBytes, allowHttp: true });
  let why: unknown;
  const ignored: string[] = [];
  const issuerKeys = new IssuerKeys(issuer, {
    outbound,
    now: () => new Date(),
    onFailure: (error) => {
      why = error;
    },
    onIgnored: (some) => ignored.push(JSON.stringify(some)),
  });
  const where = `${issuer.issuer} for audience ${issuer.audience}`;
  try {
    await issuerKeys.find(noKey, emptyToken);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey))
      return [failed(`${where}: ${reasonOf(why ?? error)}`, issuerRemedy(issuer))];
  }
  const strange = ignored.map((text) =>
    warning(`${where} publishes keys that are not accepted: ${text}`, "docs/identity-provider.md says which keys are"),
  );
  return [fine(`${where} publishes its keys`), ...strange];
}

function issuerRemedy({ jwksUri }: Issuer): string {
  const where =
    jwksUri === undefined
      ? "issuer has to be what its /.well-known/openid-configuration says of itself"
      : "jwks_uri has to answer a JSON Web Key Set";
  return `in OIDC_ISSUERS ${where}; a private address has to be in OUTBOUND_ALLOWED_NETWORKS`;
}

export const check = checkService(diagnostics);
