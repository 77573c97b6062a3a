import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "@aiplatform/testkit";
import { type JWK, SignJWT } from "jose";
import { newKey } from "./loopback-issuer.ts";

/** The platform's client at the provider. */
export const client = { id: "console", secret: "secret of the console at its provider" } as const;

/** What the provider does at its token endpoint: what it is asked for `code` with. */
export type TokenAnswer = (code: URLSearchParams) => Promise<object | number>;

/** An OpenID provider that answers as it is told, also as no honest one would. */
export interface ScriptedProvider extends AsyncDisposable {
  issuer: string;
  /** What was asked at the token endpoint, oldest first. */
  readonly asked: URLSearchParams[];
  answer: TokenAnswer;
  /** What its userinfo endpoint says; undefined: it answers 500. */
  userinfo: object | undefined;
  /** What it says of itself, beside what is usual. */
  metadata: object;
  /** Signs with another key from now on, and publishes that one alone. */
  rotateKey(): Promise<void>;
  /** An id token, signed with its own key unless another is given. */
  idToken(claims: object, key?: JWK): Promise<string>;
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  let key = await newKey();
  const asked: URLSearchParams[] = [];
  const routes: Record<string, (request: IncomingMessage) => Promise<object | number>> = {
    "/.well-known/openid-configuration": async () => ({ ...metadata(provider.issuer), ...provider.metadata }),
    "/jwks": async () => {
      const { d: _private, ...publicKey } = key;
      return { keys: [publicKey] };
    },
    "/userinfo": async () => provider.userinfo ?? 500,
    async "/token"(request) {
      const form = new URLSearchParams(await text(request));
      asked.push(form);
      return await provider.answer(form);
    },
  };
  const server = createServer(async (request, response) => {
    write(response, (await routes[request.url?.split("?")[0] ?? ""]?.(request)) ?? 404);
  });
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const provider: ScriptedProvider = {
    ...{ issuer, asked, userinfo: undefined, metadata: {} },
    async rotateKey() {
      key = await newKey();
    },
    answer: async () => 500,
    idToken: (claims, signer = key) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "ES256", kid: key.kid ?? "" }).sign(signer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

function metadata(issuer: string) {
  const at = (path: string) => `${issuer}${path}`;
  return {
    issuer,
    authorization_endpoint: at("/authorize"),
    token_endpoint: at("/token"),
    userinfo_endpoint: at("/userinfo"),
    jwks_uri: at("/jwks"),
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
    authorization_response_iss_parameter_supported: true,
  };
}

function write(response: ServerResponse, answer: object | number): void {
  const [status, body] = typeof answer === "number" ? [answer, {}] : [200, answer];
  response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body));
}
