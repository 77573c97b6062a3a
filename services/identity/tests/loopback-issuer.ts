import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@aiplatform/testkit";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";

/** What the tests use of the package, which brings no types. */
type OidcProvider = new (
  issuer: string,
  configuration: object,
) => { callback(): (request: IncomingMessage, response: ServerResponse) => void };

/** A name in a variable keeps the checker from asking for the package's missing types. */
const providerPackage: string = "oidc-provider";
const { default: Provider }: { default: OidcProvider } = await quietly(() => import(providerPackage));

/** One program that gets tokens: its client id becomes their subject. */
export interface IssuerClient {
  subject: string;
  organisation: string;
}

/** An OpenID provider on loopback that issues real tokens, and gives its keys away so that tests can forge some. */
export interface LoopbackIssuer extends AsyncDisposable {
  issuer: string;
  audience: string;
  /** Private keys, newest first. */
  keys: JWK[];
  /** Paths that were asked for, with how often. */
  requests: Map<string, number>;
  /** A token of the provider itself, by the client credentials grant. */
  token(subject: string): Promise<string>;
  /** Puts a new key in front and keeps the others published. */
  rotate(): Promise<void>;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
  /** Answers again, at the same address. */
  resume(): Promise<unknown>;
}

/** Starts a provider with an ES256 key for these clients. */
export async function startLoopbackIssuer(clients: IssuerClient[]): Promise<LoopbackIssuer> {
  const audience = "https://aiplatform.test";
  const keys = [await newKey()];
  const requests = new Map<string, number>();
  let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => void response.end();
  let server = createServer();
  const listen = (port?: number) => {
    server = createServer((request, response) => {
      const path = request.url?.split("?")[0] ?? "";
      requests.set(path, (requests.get(path) ?? 0) + 1);
      // A kept connection would die with the next stop, and a client would blame the token for it.
      response.shouldKeepAlive = false;
      answer(request, response);
    });
    return listenOnLoopback(server, port);
  };
  const port = await listen();
  const issuer = `http://127.0.0.1:${port}`;
  const serve = () => {
    answer = quietly(() => new Provider(issuer, configuration({ audience, keys, clients }))).callback();
  };
  const stop = async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(() => resolve());
    server.closeAllConnections();
    await promise;
  };
  serve();
  return {
    issuer,
    audience,
    keys,
    requests,
    token: (subject) => requestToken(issuer, subject),
    async rotate() {
      keys.unshift(await newKey());
      serve();
    },
    stop,
    resume: () => listen(port),
    [Symbol.asyncDispose]: stop,
  };
}

/** The package warns that it stands on memory and on a newer Node: known here, and noise in a report. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console;
  const restore = () => void Object.assign(console, { warn, info });
  Object.assign(console, { warn: () => undefined, info: () => undefined });
  const result = work();
  if (result instanceof Promise) void result.finally(restore);
  else restore();
  return result;
}

/** A private key as the provider publishes it. */
export async function newKey(alg = "ES256"): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg, use: "sig", kid: await calculateJwkThumbprint(jwk) };
}

const clientSecret = "a secret between the tests and their provider";

async function requestToken(issuer: string, subject: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: subject,
    client_secret: clientSecret,
  });
  const response = await fetch(`${issuer}/token`, { method: "POST", body });
  const answer = new Map<string, unknown>(Object.entries(Object(await response.json())));
  const token = answer.get("access_token");
  if (typeof token !== "string") throw new Error(`no token for ${subject}: ${JSON.stringify([...answer])}`);
  return token;
}

function configuration(o: { audience: string; keys: JWK[]; clients: IssuerClient[] }): object {
  const resource = {
    scope: "platform",
    audience: o.audience,
    accessTokenFormat: "jwt",
    accessTokenTTL: 300,
    jwt: { sign: { alg: "ES256" } },
  };
  return {
    jwks: { keys: o.keys },
    ttl: { ClientCredentials: 300 },
    cookies: { keys: ["only for tests"] },
    clients: o.clients.map(({ subject, organisation }) => ({
      client_id: subject,
      client_secret: clientSecret,
      token_endpoint_auth_method: "client_secret_post",
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: "ES256",
      organisation,
    })),
    extraClientMetadata: { properties: ["organisation"] },
    extraTokenClaims: (context: { oidc: { client: { organisation: string } } }) => ({
      organisation: context.oidc.client.organisation,
    }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => o.audience,
        getResourceServerInfo: () => resource,
        useGrantedResource: () => true,
      },
    },
  };
}
