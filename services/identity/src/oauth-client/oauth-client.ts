import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import {
  allowInsecureRequests,
  type ClientAuth,
  type ClientMetadata,
  type Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  Configuration as OAuthConfiguration,
} from "openid-client";
import { ProviderRefusedError } from "./provider-errors.ts";
import { refreshed } from "./refreshed.ts";

/** The platform as a client of a provider. */
export interface OAuthClientSettings {
  /** `iss` of the provider; its endpoints are discovered there unless they are given. */
  issuer: string;
  endpoints: ProviderEndpoints | undefined;
  clientId: string;
  /** Secret. */
  clientSecret: string;
  /** Whether plain http is taken: for development. */
  allowHttp: boolean;
  /** How the client proves its secret. Default: in the body. */
  authentication?: ClientAuth;
  /** Of the client, beyond its id and secret. Default: none. */
  metadata?: Partial<ClientMetadata>;
}

/** Of a provider without discovery. */
export interface ProviderEndpoints {
  authorization: string;
  token: string;
  revocation: string | undefined;
}

/** For one request to a provider: two of them, and what we do ourselves, fit into ten seconds. */
const requestMs = 4_000;

/** What a provider says of itself may change: it is asked again in the course of a sign-in. */
const discoveryTimes = { freshForMs: 5 * 60_000, usableForMs: 24 * 3_600_000, retryAfterMs: 10_000 };

/** Answers the client's configuration: given, or discovered, and discovered again when it is older than five minutes. */
export function createOAuthClient(
  settings: OAuthClientSettings,
  { outbound, clock }: { outbound: GuardedFetch; clock: () => Date },
): () => Promise<Configuration> {
  const { issuer, endpoints, clientId, clientSecret, allowHttp, authentication, metadata = {} } = settings;
  const ask: CustomFetch = (url, { method, headers, body, signal }) => {
    const bound = AbortSignal.timeout(requestMs);
    const until = signal ? AbortSignal.any([signal, bound]) : bound;
    return outbound(url, { method, headers, body: body ?? null, signal: until });
  };
  const client = { ...metadata, client_secret: clientSecret };
  if (endpoints) {
    const { authorization, token, revocation } = endpoints;
    const server = {
      issuer,
      authorization_endpoint: authorization,
      token_endpoint: token,
      ...(revocation === undefined ? {} : { revocation_endpoint: revocation }),
    };
    const configuration = new OAuthConfiguration(server, clientId, client, authentication);
    configuration[customFetch] = ask;
    if (allowHttp) allowInsecureRequests(configuration);
    return async () => configuration;
  }
  const options = { [customFetch]: ask, execute: allowHttp ? [allowInsecureRequests] : [] };
  const discover = () => discovery(new URL(issuer), clientId, client, authentication, options);
  return refreshed(discover, { ...discoveryTimes, now: clock });
}

/** What came back with the browser. */
export interface AuthorizationAnswer {
  code: string;
  iss: string;
  error: string;
}

/**
 * The URL that the browser came back to, once what it carries fits the provider; the provider has not been asked yet.
 * @throws ProviderRefusedError
 */
export function returnedUrl(
  { code, iss, error }: AuthorizationAnswer,
  { client, state, redirectUri }: { client: Configuration; state: string; redirectUri: string },
): URL {
  const { issuer, authorization_response_iss_parameter_supported: announcesIss } = client.serverMetadata();
  // A browser that comes back under another issuer's name was not sent by the provider that was asked (RFC 9207).
  const isOther = iss === "" ? announcesIss === true : iss !== issuer;
  if (isOther) throw new ProviderRefusedError("response_invalid");
  if (error !== "") throw new ProviderRefusedError(error === "access_denied" ? "access_denied" : "provider_refused");
  if (code === "") throw new ProviderRefusedError("response_invalid");
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code, state, ...(iss === "" ? {} : { iss }) }).toString();
  return url;
}
