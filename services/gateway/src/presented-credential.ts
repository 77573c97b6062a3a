import type { IncomingHttpHeaders } from "node:http";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";

/** What a request shows of itself, unverified. An empty text stands for "not sent". */
export interface PresentedCredential {
  bearer: string;
  apiKey: string;
}

/**
 * Reads the credential of a request. `Api-key` counts only where the operation declares that header.
 * A credential that is present but cannot be read is an error, never an absence.
 */
export function presentedCredential(headers: IncomingHttpHeaders, takesApiKey: boolean): PresentedCredential {
  const authorization = headers.authorization;
  const apiKey = takesApiKey ? headers["api-key"] : undefined;
  if (authorization === undefined && apiKey === undefined) {
    throw unauthenticated("CREDENTIAL_MISSING", "Not authenticated");
  }
  return { bearer: authorization === undefined ? "" : bearerOf(authorization), apiKey: keyOf(apiKey) };
}

function bearerOf(authorization: string): string {
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization) ?? [];
  if (!token) throw unauthenticated("CREDENTIAL_MALFORMED", "Authorization must be `Bearer` and a token");
  return token;
}

function keyOf(apiKey: string | string[] | undefined): string {
  if (apiKey === undefined) return "";
  if (typeof apiKey !== "string" || apiKey.trim() === "") {
    throw unauthenticated("CREDENTIAL_MALFORMED", "Api-key must be one API key");
  }
  return apiKey.trim();
}

function unauthenticated(reason: string, text: string): ConnectError {
  return new ConnectError(text, Code.Unauthenticated, undefined, [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: "aiplatform" }) },
  ]);
}
