/**
 * On every answer unless whoever answers says otherwise: what is answered is meant for its caller, now, as what it says
 * it is. There are none of CORS: pages of other origins have no business here.
 */
export const securityHeaders = new Map<string, string>([
  ["x-content-type-options", "nosniff"],
  ["cache-control", "no-store"],
]);

/** What upstream servers say about themselves, which is nobody's business. */
export const bannerHeaders: readonly string[] = ["server", "x-powered-by"];
