import { once } from "node:events";
import type { Server } from "node:http";
import Provider from "oidc-provider";
import { interactions, withInteractions } from "../interaction/interaction.ts";
import type { OauthClient } from "./oauth-client.ts";

/** Where the provider is, and where it sends browsers back to. */
export interface FakeOauthOptions {
  host: string;
  port: number;
  /** `iss`, and the URL under which browsers and the platform reach it. */
  issuer: string;
  redirectUri: string;
}

const scopes = ["profile"];
const look = { name: "Socialnet", note: "A social network of this machine, for development." };
const hour = 3600;

/**
 * Starts an account platform for members to link: it has a page to sign in, which takes any name, and one to agree. What
 * it issued it forgets when it stops. For development and tests only.
 */
export async function startFakeOauth(client: OauthClient, place: FakeOauthOptions): Promise<Server> {
  const provider = new Provider(place.issuer, {
    jwks: { keys: client.keys },
    cookies: { keys: [client.cookieKey] },
    scopes,
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        client_name: "AI platform",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        redirect_uris: [place.redirectUri],
        id_token_signed_response_alg: "ES256",
      },
    ],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: async () => true,
    interactions,
    ttl: { AccessToken: hour, Grant: 24 * hour, Interaction: hour, RefreshToken: 24 * hour, Session: hour },
  });
  const server = withInteractions(provider, look);
  server.listen(place.port, place.host);
  await once(server, "listening");
  return server;
}
