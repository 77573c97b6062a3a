import { defineSettings, hostSettings, readSettings, type SettingsValues, setting } from "@aiplatform/service-host";
import { type Issuer, readIssuers } from "./credentials/issuer.ts";

/** Every setting of the service, once: type, default and what it is for. */
export const identitySettings = defineSettings({
  ...hostSettings,
  MONGODB_URI: setting.secretText({ says: "MongoDB replica set that holds organisations, members, roles and keys." }),
  MONGODB_DATABASE: setting.text({ default: "identity", says: "Database of this service alone." }),
  NATS_URL: setting.text({ says: "NATS servers with JetStream, separated by commas." }),
  NATS_STREAM: setting.text({ default: "aiplatform", says: "JetStream stream that events are published to." }),
  CONTEXT_SIGNING_KEY: setting.secretText({
    says: "Ed25519 private key (PKCS 8 PEM) that signs caller contexts; the same on every replica.",
  }),
  API_KEY_HASH_SECRET: setting.secretText({
    minLength: 32,
    says: "Secret under which API keys are hashed; another one makes every key unknown.",
  }),
  OPERATOR_KEY: setting.secretText({
    optional: true,
    minLength: 32,
    says: "Key with which the operator of the installation creates organisations; unset: nobody can.",
  }),
  AUDIT_RETENTION_DAYS: setting.integer({
    default: 0,
    min: 0,
    max: 36_500,
    says: "Days after which the audit log's records are erased, for those made from now on; 0 keeps them for ever.",
  }),
  OIDC_ISSUERS: setting.json({
    default: [],
    parse: readIssuers,
    says:
      "Identity providers whose access tokens are believed: a JSON list of {issuer, audience, organisation_claim?, " +
      "jwks_uri?, allow_http?}; the claim names the organisation by id or slug and is `organisation` by default.",
  }),
});

/** The settings as the service receives them. */
export type IdentityConfig = SettingsValues<typeof identitySettings> & { readonly OIDC_ISSUERS: Issuer[] };

/** Reads the environment. Throws SettingsError with every mistake in it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): IdentityConfig {
  return readSettings(identitySettings, env);
}
