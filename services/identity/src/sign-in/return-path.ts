/** Any origin: an address that leads away from it is of another site. */
const origin = "http://console.invalid";

/** Longest path as it stands in an address, in characters: with it the browser's cookie has less than its 4 KiB. */
const maxLength = 1_500;

/** The page to show after signing in is none of the console's. */
export class ReturnPathError extends Error {
  override name = "ReturnPathError";
  readonly field = "to";
  constructor() {
    super(
      `must be a path inside the console such as /runs, at most ${maxLength} characters long when it is percent-encoded`,
    );
  }
}

/**
 * The page of the console to show after signing in; empty stands for its start page. A link that someone sends could name another site
 * there. @throws ReturnPathError
 */
export function returnPath(to: string): string {
  if (to === "") return "/";
  const url = to.startsWith("/") ? URL.parse(to, origin) : null;
  if (url?.origin !== origin || url.pathname.startsWith("//") || url.pathname === "/sign-in")
    throw new ReturnPathError();
  const path = url.pathname + url.search + url.hash;
  if (path.length > maxLength) throw new ReturnPathError();
  return path;
}
