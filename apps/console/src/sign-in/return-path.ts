/** Any origin: an address that leads away from it is of another site. */
const origin = "http://console.invalid";

/**
 * The page to go back to after signing in. Undefined unless it is a path inside the console: a link that someone sends could name
 * another site there.
 */
export function returnPath(value: unknown): string | undefined {
  if (typeof value !== "string" || !value.startsWith("/")) return undefined;
  const url = URL.parse(value, origin);
  if (url?.origin !== origin || url.pathname.startsWith("//") || url.pathname === "/sign-in") return undefined;
  return url.pathname + url.search + url.hash;
}
