/**
 * On every answer unless its handler sets others: an answer is meant for its caller, now, with the type it declares.
 * There are none of CORS: pages of other origins have no business here.
 */
export const securityHeaders = new Map<string, string>([
  ["x-content-type-options", "nosniff"],
  ["cache-control", "no-store"],
]);

/** Where the gateway has a certificate of its own: browsers then ask for this host over TLS alone, for a year. */
export const onlyOverTls: readonly [name: string, value: string] = ["strict-transport-security", "max-age=31536000"];

/** What upstream servers say about themselves, which callers must not learn. */
export const bannerHeaders: readonly string[] = ["server", "x-powered-by"];
