import type { Configuration, GrantContext } from "oidc-provider";
import { interactions } from "../interaction/interaction.ts";
import { type ConsoleClient, consoleClientId, type OidcIdentity } from "./oidc-identity.ts";

const scope = "openid email";
const day = 24 * 3600;

/** What the provider says of a person. A name that is an address counts as verified: there are no passwords here, either. */
function claimsOf(identity: OidcIdentity, name: string) {
  const organisation = identity.clients.find(({ id }) => id === name)?.organisation;
  return {
    sub: name,
    ...(organisation === undefined ? {} : { organisation }),
    ...(name.includes("@") ? { email: name, email_verified: true } : {}),
  };
}

/** What lets people sign in to the console: any name will do, and no one has to agree to that. */
export function consoleSignIn(
  identity: OidcIdentity,
  { secret, redirectUri }: ConsoleClient,
): { client: object; configuration: Partial<Configuration> } {
  const client = {
    client_id: consoleClientId,
    client_secret: secret,
    client_name: "Console",
    grant_types: ["authorization_code"],
    response_types: ["code"],
    redirect_uris: [redirectUri],
    id_token_signed_response_alg: "ES256",
  };
  const configuration = {
    claims: { openid: ["sub", "organisation"], email: ["email", "email_verified"] },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => claimsOf(identity, id) }),
    interactions,
    async loadExistingGrant({ oidc: { provider, client, session } }: GrantContext) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 3600, Grant: day, IdToken: 3600, Interaction: 3600, Session: day },
  };
  return { client, configuration };
}
