import { once } from "node:events";
import type { Server } from "node:http";
import Provider from "oidc-provider";
import type { SocialClient } from "./social-client.ts";

/** Where the provider is, and where it sends browsers back to. */
export interface SocialProviderPlace {
  host: string;
  port: number;
  /** `iss`, and the URL under which browsers and the platform reach it. */
  issuer: string;
  redirectUri: string;
}

const scopes = ["profile"];

/**
 * Starts an account platform for members to link: it has a page to sign in, which takes any name and password, and one to
 * agree. For development and tests only.
 */
export async function startSocialProvider(client: SocialClient, place: SocialProviderPlace): Promise<Server> {
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
    features: { devInteractions: { enabled: true }, revocation: { enabled: true } },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    issueRefreshToken: async () => true,
  });
  const server = provider.listen(place.port, place.host);
  await once(server, "listening");
  return server;
}
