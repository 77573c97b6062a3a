import type { HandlerContext } from "@connectrpc/connect";

/** What is written to is another than `If-Match` asked for. */
export class EntityTagMismatchError extends Error {
  override name = "EntityTagMismatchError";
  /** The tag that it has now. */
  readonly tag: string;
  /** `what` is such as `dictionary`. */
  constructor(tag: string, what: string) {
    super(`The ${what} has changed since: its ETag is ${tag}. Read it again, then decide again`);
    this.tag = tag;
  }
}

/** What tells versions of something apart. */
export type Version = number | string;

/** The tag of a version: strong, because the answer has one form only. */
export function entityTag(version: Version): string {
  return `"${version}"`;
}

/** Says which version is answered. */
export function tagAnswer({ responseHeader }: Pick<HandlerContext, "responseHeader">, version: Version): void {
  responseHeader.set("etag", entityTag(version));
  // Worth keeping only to ask whether it still holds.
  responseHeader.set("cache-control", "private, no-cache");
}

/** Whether the tag is one that `If-Match` lists (RFC 9110, 13.1.1): compared strongly, so a weak one never is. */
function isMatch(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((listed) => listed.trim() === tag);
}

/** @throws EntityTagMismatchError unless the condition holds of the version of `what`; none (empty) always does */
export function assertMatch(ifMatch: string, version: Version, what: string): void {
  const tag = entityTag(version);
  if (ifMatch !== "" && !isMatch(ifMatch, tag)) throw new EntityTagMismatchError(tag, what);
}
