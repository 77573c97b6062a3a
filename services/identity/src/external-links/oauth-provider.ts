import { type GuardedFetch, OutboundTimeoutError } from "@aiplatform/guarded-fetch";
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  Configuration as OAuthConfiguration,
  ResponseBodyError,
  randomPKCECodeVerifier,
  refreshTokenGrant,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  tokenRevocation,
} from "openid-client";
import type { LinkFailure } from "./external-link.ts";
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
  parameters: { code: string; iss: string; error: string };
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

/** The provider, or the member there, said no. */
export class ProviderRefusedError extends Error {
  override name = "ProviderRefusedError";
  readonly failure: LinkFailure;
  constructor(failure: LinkFailure) {
    super("The provider refused the link");
    this.failure = failure;
  }
}

/** The provider does not answer as it should. */
export class ProviderUnavailableError extends Error {
  override name = "ProviderUnavailableError";
  constructor(cause?: unknown) {
    super("The provider does not answer as it should; try again later", { cause });
  }
}

export class ProviderTimeoutError extends Error {
  override name = "ProviderTimeoutError";
  constructor(cause?: unknown) {
    super("The provider takes too long to answer; try again later", { cause });
  }
}

/** Ten years: a provider that names a longer time means no end, and dates far beyond cannot be stored. */
const maxExpirySeconds = 10 * 365 * 24 * 3_600;
/** For one request to a provider: two of them, and what we do ourselves, fit into ten seconds. */
const requestMs = 4_000;

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
  const configuration = configured(settings, outbound);
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
        assertReturned(parameters, client);
        const returned = new URL(redirectUri);
        const { code, iss } = parameters;
        returned.search = new URLSearchParams({ code, state, ...(iss === "" ? {} : { iss }) }).toString();
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

/** Answers the client's configuration: given, or discovered once and again after a failure. */
function configured(settings: ProviderSettings, outbound: GuardedFetch): () => Promise<Configuration> {
  const { issuer, endpoints, clientId, clientSecret, allowHttp } = settings;
  const ask: CustomFetch = (url, { method, headers, body, signal }) => {
    const bound = AbortSignal.timeout(requestMs);
    const until = signal ? AbortSignal.any([signal, bound]) : bound;
    return outbound(url, { method, headers, body: body ?? null, signal: until });
  };
  if (endpoints) {
    const { authorization, token, revocation } = endpoints;
    const metadata = {
      issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      ...(revocation === undefined ? {} : { revocation_endpoint: revocation }),
    };
    const client = new OAuthConfiguration(metadata, clientId, clientSecret);
    client[customFetch] = ask;
    if (allowHttp) allowInsecureRequests(client);
    return async () => client;
  }
  let discovered: Promise<Configuration> | undefined;
  return () => {
    const execute = allowHttp ? [allowInsecureRequests] : [];
    discovered ??= discovery(new URL(issuer), clientId, clientSecret, undefined, { [customFetch]: ask, execute }).catch(
      (error: unknown) => {
        discovered = undefined;
        throw error;
      },
    );
    return discovered;
  };
}

/** Looks at what came with the browser before the provider is asked. */
function assertReturned({ code, iss, error }: CodeExchange["parameters"], client: Configuration): void {
  const { issuer, authorization_response_iss_parameter_supported: announcesIss } = client.serverMetadata();
  // A browser that comes back under another issuer's name was not sent by the provider that was asked (RFC 9207).
  const isOther = iss === "" ? announcesIss === true : iss !== issuer;
  if (isOther) throw new ProviderRefusedError("response_invalid");
  if (error !== "") throw new ProviderRefusedError(error === "access_denied" ? "access_denied" : "provider_refused");
  if (code === "") throw new ProviderRefusedError("response_invalid");
}

/** Turns the many ways to fail into three. */
async function answering<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefusedError) throw error;
    if (error instanceof AuthorizationResponseError) throw new ProviderRefusedError("response_invalid");
    if (error instanceof ResponseBodyError && error.error === "invalid_grant")
      throw new ProviderRefusedError("code_refused");
    throw isTimeout(error) ? new ProviderTimeoutError(error) : new ProviderUnavailableError(error);
  }
}

function isTimeout(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundTimeoutError || each.name === "TimeoutError") return true;
    if ("code" in each && each.code === "OAUTH_TIMEOUT") return true;
  }
  return false;
}
