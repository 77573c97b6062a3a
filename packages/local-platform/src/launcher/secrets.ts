import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { keepServiceKeys, type ServiceKeyFiles } from "@aiplatform/service-keys";
import type { OauthClient } from "../fakes/oauth/oauth-client.ts";
import type { OidcIdentity } from "../fakes/oidc/oidc-identity.ts";
import { writePrivate } from "../infra/private-file.ts";

/** Files that no other user may read. They are made on the first start and used ever after. */
export interface SecretFiles {
  contextSigningKey: string;
  apiKeyHashSecret: string;
  delegationSecret: string;
  operatorKey: string;
  identityProvider: string;
  /** Client secret of the console at the identity provider. */
  consoleClientSecret: string;
  socialClient: string;
  /** Of identity. */
  secretsKeys: string;
  deploymentsSecretsKeys: string;
  /** By service. */
  serviceKeys: (service: string) => ServiceKeyFiles;
}

const randomText = () => randomBytes(32).toString("base64url");

/** Makes the file where there is none. Returns its path. */
export async function keep(path: string, make: () => string): Promise<string> {
  try {
    await readFile(path);
  } catch {
    await writePrivate(path, make());
  }
  return path;
}

function signingKeyPem(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

const keyRing = () => JSON.stringify([{ id: "local", key: randomBytes(32).toString("base64") }]);

function signingJwk(): object {
  const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  return { ...key, kid: randomText().slice(0, 8), use: "sig", alg: "ES256" };
}

function socialClient(): OauthClient {
  return { clientId: "aiplatform", clientSecret: randomText(), keys: [signingJwk()], cookieKey: randomText() };
}

function providerIdentity(issuer: string, organisations: string[]): OidcIdentity {
  return {
    issuer,
    keys: [signingJwk()],
    cookieKey: randomText(),
    clients: organisations.map((organisation) => ({
      id: `${organisation}-administrator`,
      secret: randomText(),
      organisation,
    })),
  };
}

/**
 * Makes the secrets of an installation in `directory`, or finds them there.
 * `issuer` and `organisations` describe the identity provider of a first start.
 */
export async function keepSecrets(directory: string, issuer: string, organisations: string[]): Promise<SecretFiles> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const at = (name: string) => join(directory, name);
  return {
    contextSigningKey: await keep(at("context-signing-key.pem"), signingKeyPem),
    apiKeyHashSecret: await keep(at("api-key-hash-secret"), randomText),
    delegationSecret: await keep(at("delegation-secret"), randomText),
    operatorKey: await keep(at("operator-key"), randomText),
    identityProvider: await keep(at("identity-provider.json"), () =>
      JSON.stringify(providerIdentity(issuer, organisations)),
    ),
    consoleClientSecret: await keep(at("console-client-secret"), randomText),
    socialClient: await keep(at("social-client.json"), () => JSON.stringify(socialClient())),
    secretsKeys: await keep(at("secrets-keys.json"), keyRing),
    deploymentsSecretsKeys: await keep(at("deployments-secrets-keys.json"), keyRing),
    serviceKeys: keepServiceKeys(at("service-keys")),
  };
}
