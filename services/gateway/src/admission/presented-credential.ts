import type { IncomingHttpHeaders } from "node:http";
import { type PresentedCredential, refusal } from "@aiplatform/caller-identity";
import type { ConnectError } from "@connectrpc/connect";

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
  if (authorization === undefined && apiKey === undefined) throw credentialMissing(headers);
  return {
    bearer: authorization === undefined ? "" : bearerOf(authorization),
    apiKey: apiKey === undefined ? "" : keyOf(apiKey),
  };
}

/** Headers in which keys are sent elsewhere, or to other operations, as they are written. */
const otherKeyHeaders = ["Api-Key", "X-API-Key", "X-Auth-Token"];
const asBearer = "send Authorization: Bearer, a blank, and the key or token";

/** Nothing was shown; where a key stands in a header that is not read, it says so. */
export function credentialMissing(headers: IncomingHttpHeaders): ConnectError {
  const other = otherKeyHeaders.find((name) => headers[name.toLowerCase()] !== undefined);
  const remedy = other === undefined ? asBearer : `${other} is not read here, ${asBearer}`;
  return refusal("CREDENTIAL_MISSING", undefined, remedy);
}

function bearerOf(authorization: string): string {
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization) ?? [];
  if (!token) {
    const fault = /^bearer /i.test(authorization)
      ? "no token follows Bearer"
      : "Authorization does not begin with Bearer";
    throw refusal("CREDENTIAL_MALFORMED", undefined, `${fault}, ${asBearer}`);
  }
  return token;
}

function keyOf(apiKey: string | string[]): string {
  // Repeated headers are joined with a comma, which no key contains.
  const [, key] = /^ *([A-Za-z0-9._~-]+) *$/.exec(String(apiKey)) ?? [];
  if (!key) throw refusal("CREDENTIAL_MALFORMED");
  return key;
}
