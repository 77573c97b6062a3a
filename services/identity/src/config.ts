import { assertNetwork } from "@aiplatform/guarded-fetch";
import { quotaSettings } from "@aiplatform/quotas";
import { keyRingSetting } from "@aiplatform/sealed-secrets";
import {
  defineSettings,
  hostSettings,
  readSettings,
  SettingsError,
  type SettingsValues,
  setting,
} from "@aiplatform/service-host";
import { consoleSettings, domainSettings } from "@aiplatform/service-kit/settings";
import { type Issuer, readIssuers } from "./credentials/issuer.ts";
import { readLinkSettings } from "./external-links/link-settings.ts";
import { readSignInClients } from "./sign-in/sign-in-clients.ts";

/** Every setting of the service, once: type, default and what it is for. */
export const identitySettings = defineSettings({
  ...hostSettings,
  ...domainSettings({ database: "identity", holds: "organisations, members, roles and keys" }),
  ...quotaSettings("identity"),
  CONTEXT_SIGNING_KEY: setting.secretText({
    description:
      "Ed25519 private keys (PKCS 8 PEM, one after the other): the first signs caller contexts, all verify them.",
  }),
  API_KEY_HASH_SECRET: setting.secretText({
    minLength: 32,
    description: "Secret under which API keys are hashed; another one makes every key unknown.",
  }),
  DELEGATION_SECRET: setting.secretText({
    optional: true,
    minLength: 32,
    description:
      "Secret that identity and content share, under which automations act for who published them; unset: nothing is " +
      "delegated, and steps that need permissions are not published.",
  }),
  OPERATOR_KEY: setting.secretText({
    optional: true,
    minLength: 32,
    description:
      "Key with which the operator of the installation creates organisations; unset: organisations cannot be created.",
  }),
  AUDIT_RETENTION_DAYS: setting.integer({
    default: 0,
    min: 0,
    max: 36_500,
    description:
      "Days after which the audit log's records are erased, for those made from now on; 0 keeps them for ever.",
  }),
  OIDC_ISSUERS: setting.json({
    default: [],
    parse: readIssuers,
    description:
      "Identity providers whose access tokens are believed: a JSON list of {issuer, audience, organisation_claim? or " +
      "organisation?, subject_claim?, match_verified_email?, email_claim?, email_verified_claim?, jwks_uri?, " +
      "allow_http?, sign_in?}; docs/identity-provider.md explains each.",
  }),
  OIDC_CLIENT_SECRETS: setting.secretText({
    optional: true,
    description:
      "Client secrets of the identity providers that people sign in to the console with: a JSON object of secrets by the " +
      "`id` of `sign_in` in OIDC_ISSUERS.",
  }),
  PUBLIC_URL: setting.url({
    optional: true,
    description:
      "URL at which browsers reach the gateway, the same as there: browser sessions need it, over https or on this machine, and account platforms send members back to it.",
  }),
  ...consoleSettings,
  SESSION_IDLE_MINUTES: setting.integer({
    default: 60,
    min: 5,
    max: 1_440,
    description: "Minutes without a request after which a browser's session ends.",
  }),
  SESSION_MAX_HOURS: setting.integer({
    default: 12,
    min: 1,
    max: 720,
    description: "Hours after which a browser's session ends, however it is used.",
  }),
  EXTERNAL_OAUTH_PROVIDERS: setting.secretText({
    optional: true,
    description:
      "Account platforms that members may link: a JSON list of {provider, issuer, client_id, client_secret, scopes?, " +
      "authorization_endpoint? with token_endpoint? and revocation_endpoint?, allow_http?}; docs/operations/install.md explains each.",
  }),
  SECRETS_KEYS: setting.secretText({ ...keyRingSetting, optional: true }),
  JUPYTERHUB_URL: setting.url({
    optional: true,
    path: "/notebooks",
    description:
      "Base URL of the JupyterHub behind /notebooks; its own path is /notebooks, too. Unset: there are no notebooks.",
  }),
  JUPYTERHUB_API_TOKEN: setting.secretText({
    optional: true,
    description:
      "Token of a service of that hub, with which identity looks at servers and issues tokens to their users.",
  }),
  NOTEBOOK_CREDENTIALS: setting.flag({
    default: false,
    description:
      "Whether programs in a notebook server may call the platform as its user, with the token that the hub made for the server: " +
      "the operator of the hub can then act as each of its users.",
  }),
  OUTBOUND_ALLOWED_NETWORKS: setting.list({
    default: [],
    check: assertNetwork,
    description:
      "Networks (CIDR) that identity may reach although they are not public, for identity providers and what else it " +
      "is set up to ask; all other private, loopback and link-local addresses are refused, whatever name leads there.",
  }),
});

/** The settings as the service receives them. */
export type IdentityConfig = SettingsValues<typeof identitySettings> & { readonly OIDC_ISSUERS: Issuer[] };

/** Reads the environment. @throws SettingsError with every mistake in it. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): IdentityConfig {
  const config = readSettings(identitySettings, env);
  const missing = [config.JUPYTERHUB_URL, config.JUPYTERHUB_API_TOKEN].filter((value) => value === undefined);
  if (missing.length === 1) throw new SettingsError(["JUPYTERHUB_URL and JUPYTERHUB_API_TOKEN need each other"]);
  if (config.NOTEBOOK_CREDENTIALS && !config.JUPYTERHUB_URL) {
    throw new SettingsError(["NOTEBOOK_CREDENTIALS needs JUPYTERHUB_URL"]);
  }
  // What cannot be used is found before anything starts.
  readLinkSettings(config);
  readSignInClients(config);
  return config;
}
