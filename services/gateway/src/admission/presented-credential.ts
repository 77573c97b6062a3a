import type { IncomingHttpHeaders } from "node:http";
import { type PresentedCredential, refusal } from "@aiplatform/caller-identity";

/** Whether a request shows anything that means to be a credential. */
export function isCredentialShown(headers: IncomingHttpHeaders, takesApiKey: boolean): boolean {
  return headers.authorization !== undefined || (takesApiKey && headers["api-key"] !== undefined);
}

/**
 * Reads the credential of a request. `Api-key` counts only where the operation declares that header.
 * @throws ConnectError when there is none, or one that cannot be read: what is present but bad is never an absence
 */
export function presentedCredential(headers: IncomingHttpHeaders, takesApiKey: boolean): PresentedCredential {
  const { authorization } = headers;
  const apiKey = takesApiKey ? headers["api-key"] : undefined;
  if (authorization === undefined && apiKey === undefined) throw refusal("CREDENTIAL_MISSING");
  return {
    bearer: authorization === undefined ? "" : bearerOf(authorization),
    apiKey: apiKey === undefined ? "" : keyOf(apiKey),
  };
}

function bearerOf(authorization: string): string {
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization) ?? [];
  if (!token) throw refusal("CREDENTIAL_MALFORMED");
  return token;
}

function keyOf(apiKey: string | string[]): string {
  // Repeated headers are joined with a comma, which no key contains.
  const [, key] = /^ *([A-Za-z0-9._~-]+) *$/.exec(String(apiKey)) ?? [];
  if (!key) throw refusal("CREDENTIAL_MALFORMED");
  return key;
}
