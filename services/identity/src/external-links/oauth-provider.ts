import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  tokenRevocation,
} from "openid-client";
import { type AuthorizationAnswer, createOAuthClient, returnedUrl } from "../oauth-client/oauth-client.ts";
import { answering } from "../oauth-client/provider-errors.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** An account platform that members may link. */
export interface OAuthProvider {
  readonly name: string;
  newCodeVerifier(): string;
  /** What the member opens. @throws ProviderUnavailableError, ProviderTimeoutError */
  authorizationUrl(o: { state: string; codeVerifier: string; redirectUri: string }): Promise<string>;
  /** @throws ProviderRefusedError, ProviderUnavailableError, ProviderTimeoutError */
  exchange(o: CodeExchange): Promise<ProviderTokens>;
  /**
   * Tokens in place of those that end. The refresh token is the same one unless the provider gave another.
   * @throws ProviderRefusedError, ProviderUnavailableError, ProviderTimeoutError
   */
  refresh(o: { refreshToken: string; scopes: string[] }): Promise<ProviderTokens>;
  /** Revokes the tokens where the provider offers that. @throws as the provider fails. */
  revoke(tokens: ProviderTokens): Promise<void>;
}

/** What came back with the browser, and what it must fit. */
export interface CodeExchange {
  parameters: AuthorizationAnswer;
  state: string;
  codeVerifier: string;
  redirectUri: string;
}

/** Secret. */
export interface ProviderTokens {
  accessToken: string;
  refreshToken?: string;
  scopes: string[];
  /** When the access token ends, in milliseconds since 1970. Absent when the provider does not say. */
  expiresAtMs?: number;
}

/** Ten years: a provider that names a longer time means no end, and dates far beyond cannot be stored. */
const maxExpirySeconds = 10 * 365 * 24 * 3_600;

/** The providers by their names. */
export function createOAuthProviders(
  settings: readonly ProviderSettings[],
  o: { outbound: GuardedFetch; clock: () => Date },
): ReadonlyMap<string, OAuthProvider> {
  return new Map(settings.map((each) => [each.provider, createOAuthProvider(each, o)]));
}

function createOAuthProvider(
  settings: ProviderSettings,
  { outbound, clock }: { outbound: GuardedFetch; clock: () => Date },
): OAuthProvider {
  const configuration = createOAuthClient(settings, { outbound, clock });
  return {
    name: settings.provider,
    newCodeVerifier: randomPKCECodeVerifier,
    authorizationUrl: ({ state, codeVerifier, redirectUri }) =>
      answering(async () => {
        const url = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          state,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: "S256",
          ...(settings.scopes.length > 0 ? { scope: settings.scopes.join(" ") } : {}),
        });
        return url.href;
      }),
    exchange: ({ parameters, state, codeVerifier, redirectUri }) =>
      answering(async () => {
        const client = await configuration();
        const returned = returnedUrl(parameters, { client, state, redirectUri });
        const checks = { pkceCodeVerifier: codeVerifier, expectedState: state };
        const given = await authorizationCodeGrant(client, returned, checks);
        // Left out, it is what was asked for (RFC 6749, 5.1).
        return tokensOf(given, { scopes: settings.scopes, refreshToken: undefined, now: clock() });
      }),
    refresh: ({ refreshToken, scopes }) =>
      answering(async () => {
        const given = await refreshTokenGrant(await configuration(), refreshToken);
        return tokensOf(given, { scopes, refreshToken, now: clock() });
      }),
    revoke: ({ accessToken, refreshToken }) =>
      answering(async () => {
        const client = await configuration();
        if (!client.serverMetadata().revocation_endpoint) return;
        const ending = [tokenRevocation(client, accessToken, { token_type_hint: "access_token" })];
        if (refreshToken !== undefined) {
          ending.push(tokenRevocation(client, refreshToken, { token_type_hint: "refresh_token" }));
        }
        // Both are tried, whatever becomes of the other.
        const failure = (await Promise.allSettled(ending)).find(({ status }) => status === "rejected");
        if (failure?.status === "rejected") throw failure.reason;
      }),
  };
}

type GivenTokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** What the provider gave; what it left out is as it was. */
function tokensOf(
  given: GivenTokens,
  before: { scopes: string[]; refreshToken: string | undefined; now: Date },
): ProviderTokens {
  const { refresh_token: refreshToken = before.refreshToken, scope } = given;
  const seconds = given.expiresIn();
  return {
    accessToken: given.access_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    scopes: scope === undefined ? before.scopes : scope.split(" ").filter(Boolean),
    ...(seconds === undefined || seconds > maxExpirySeconds
      ? {}
      : { expiresAtMs: before.now.getTime() + 1_000 * seconds }),
  };
}
