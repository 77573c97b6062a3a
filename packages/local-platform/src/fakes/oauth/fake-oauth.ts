import { once } from "node:events";
import { createServer, type Server } from "node:http";
import Provider from "oidc-provider";
import { handleInteraction } from "./interaction.ts";
import { interactionPath } from "./interaction-pages.ts";
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
    interactions: { url: (_context, { uid }) => interactionPath(uid) },
    ttl: { AccessToken: hour, Grant: 24 * hour, Interaction: hour, RefreshToken: 24 * hour, Session: hour },
  });
  const protocol = provider.callback();
  const server = createServer((request, response) => {
    const [, uid, action] = /^\/interactions\/([\w-]+)(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
    const answered = uid ? handleInteraction({ provider, request, response, action }) : protocol(request, response);
    answered.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(place.port, place.host);
  await once(server, "listening");
  return server;
}
