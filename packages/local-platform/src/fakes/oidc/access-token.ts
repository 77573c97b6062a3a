import type { OidcClient } from "./oidc-identity.ts";

/** Asks the provider at `address` (`http://host:port`) for an access token of the client. */
export async function accessToken(address: string, { id, secret }: OidcClient): Promise<string> {
  const response = await fetch(`${address}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`the identity provider gave no token: ${answer}`);
  return JSON.parse(answer).access_token;
}
