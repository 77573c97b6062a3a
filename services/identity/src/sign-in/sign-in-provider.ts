import type { GuardedFetch } from "@aiplatform/guarded-fetch";
import type { JWTPayload } from "jose";
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  fetchUserInfo,
} from "openid-client";
import { type AccessToken, clockToleranceSeconds, readClaims, refusalOfToken } from "../credentials/access-token.ts";
import { CredentialRefusedError } from "../credentials/credential-refused-error.ts";
import type { Issuer } from "../credentials/issuer.ts";
import type { KeysByIssuer } from "../credentials/issuer-keys.ts";
import { verifySignedToken } from "../credentials/signed-token.ts";
import { type AuthorizationAnswer, createOAuthClient, returnedUrl } from "../oauth-client/oauth-client.ts";
import { answering, ProviderRefusedError, ProviderTimeoutError } from "../oauth-client/provider-errors.ts";
import type { SignInClient } from "./sign-in-clients.ts";

/** What one way to a provider and back is bound to. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** An identity provider that people sign in with. */
export interface SignInProvider {
  readonly id: string;
  readonly name: string;
  /** Where the browser goes. @throws ProviderUnavailableError, ProviderTimeoutError */
  authorizationUrl(secrets: SignInSecrets): Promise<string>;
  /**
   * Exchanges the code, and answers what the provider says of the person: what an access token of theirs would say.
   * @throws ProviderRefusedError, ProviderUnavailableError, ProviderTimeoutError, IssuerUnavailableError, CredentialRefusedError
   */
  exchange(answer: AuthorizationAnswer, secrets: SignInSecrets): Promise<AccessToken>;
}

export interface SignInProviderDependencies {
  outbound: GuardedFetch;
  keys: KeysByIssuer;
  clock: () => Date;
  /** Where browsers reach the gateway, without a slash at the end. */
  publicUrl: string;
}

/** For discovery, code, keys and userinfo together, ms: with what we do ourselves, it fits into ten seconds. */
const exchangeMs = 9_000;

/** The providers by their ids, in the order of the settings. */
export function createSignInProviders(
  clients: readonly SignInClient[],
  dependencies: SignInProviderDependencies,
): ReadonlyMap<string, SignInProvider> {
  return new Map(clients.map((client) => [client.id, new ConfiguredProvider(client, dependencies)]));
}

/** The provider as it is set up. */
class ConfiguredProvider implements SignInProvider {
  readonly id: string;
  readonly name: string;
  readonly #settings: SignInClient;
  readonly #dependencies: SignInProviderDependencies;
  readonly #redirectUri: string;
  readonly #configuration: () => Promise<Configuration>;

  constructor(settings: SignInClient, dependencies: SignInProviderDependencies) {
    this.id = settings.id;
    this.name = settings.name;
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#redirectUri = `${dependencies.publicUrl}/platform/sign-in/${settings.id}/callback`;
    this.#configuration = createOAuthClient(clientOf(settings), dependencies);
  }

  authorizationUrl({ state, nonce, codeVerifier }: SignInSecrets): Promise<string> {
    const asked = { redirect_uri: this.#redirectUri, scope: this.#settings.scopes.join(" "), state, nonce };
    return answering(async () => {
      const url = buildAuthorizationUrl(await this.#configuration(), {
        ...asked,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      return url.href;
    });
  }

  exchange(answer: AuthorizationAnswer, secrets: SignInSecrets): Promise<AccessToken> {
    return inTime(this.#exchange(answer, secrets));
  }

  async #exchange(answer: AuthorizationAnswer, { state, nonce, codeVerifier }: SignInSecrets): Promise<AccessToken> {
    const { issuer } = this.#settings;
    const client = await answering(this.#configuration);
    const returned = returnedUrl(answer, { client, state, redirectUri: this.#redirectUri });
    const checks = {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    };
    const given = await answering(() => grant(client, returned, checks));
    try {
      const payload = await this.#verified(given.id_token ?? "");
      return readClaims(await completed(client, payload, { issuer, accessToken: given.access_token }), issuer);
    } catch (error) {
      throw refusalOfToken(error) ?? error;
    }
  }

  /** By the keys, and the rules for keys, that access tokens are verified by: the client itself looks at no signature. */
  async #verified(idToken: string): Promise<JWTPayload> {
    const { issuer, clientId } = this.#settings;
    const keys = this.#dependencies.keys.get(issuer.issuer);
    if (!keys) throw new CredentialRefusedError("TOKEN_ISSUER");
    const rules = { issuer: issuer.issuer, audience: clientId, requiredClaims: ["exp", "iat", "sub"] };
    return (await verifySignedToken(idToken, keys, { ...rules, currentDate: this.#dependencies.clock() })).payload;
  }
}

/** What was asked goes on for a few seconds at most: each request has a bound of its own. @throws ProviderTimeoutError */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ProviderTimeoutError()), exchangeMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function clientOf({ issuer, clientId, clientSecret, authentication }: SignInClient) {
  const authenticate = authentication === "client_secret_basic" ? ClientSecretBasic : ClientSecretPost;
  return {
    ...{ issuer: issuer.issuer, endpoints: undefined, clientId, clientSecret, allowHttp: issuer.allowHttp },
    authentication: authenticate(clientSecret),
    metadata: { [clockTolerance]: clockToleranceSeconds },
  };
}

/** What the client finds wrong with an id token, beyond its signature. */
const badIdToken = new Set(["OAUTH_JWT_CLAIM_COMPARISON_FAILED", "OAUTH_JWT_TIMESTAMP_CHECK_FAILED"]);

async function grant(
  client: Configuration,
  returned: URL,
  checks: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string; idTokenExpected: boolean },
) {
  try {
    return await authorizationCodeGrant(client, returned, checks);
  } catch (error) {
    // No cause: it carries the token's claims, which are nothing for a log.
    if (error instanceof ClientError && badIdToken.has(error.code ?? ""))
      throw new ProviderRefusedError("response_invalid");
    throw error;
  }
}

/** Adds what the provider says at its userinfo endpoint alone, as many do of addresses (OpenID Connect Core, 5.4). */
async function completed(
  client: Configuration,
  payload: JWTPayload,
  { issuer, accessToken }: { issuer: Issuer; accessToken: string },
): Promise<JWTPayload> {
  const isComplete = claimsNeeded(issuer).every((claim) => payload[claim] !== undefined);
  if (isComplete || !client.serverMetadata().userinfo_endpoint) return payload;
  const more: JWTPayload = await answering(() => fetchUserInfo(client, accessToken, payload.sub ?? ""));
  return { ...more, ...payload, ...verificationOf(issuer, { payload, more }) };
}

/** The verification that belongs to the address: what the userinfo endpoint says of another address is worth nothing here. */
function verificationOf(
  { verifiedEmail }: Issuer,
  { payload, more }: { payload: JWTPayload; more: JWTPayload },
): JWTPayload {
  if (!verifiedEmail) return {};
  const { address, isVerified } = verifiedEmail;
  const isSame = payload[isVerified] === undefined && payload[address] === more[address];
  const source = payload[address] === undefined || isSame ? more : payload;
  return { [isVerified]: source[isVerified] };
}

function claimsNeeded({ organisation, organisationClaim, subjectClaim, verifiedEmail }: Issuer): string[] {
  return [
    subjectClaim,
    ...(organisation === undefined ? [organisationClaim] : []),
    ...(verifiedEmail ? [verifiedEmail.address, verifiedEmail.isVerified] : []),
  ];
}
