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

/** The tag of a version: strong, because the answer has one form only. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** Whether the tag is one that `If-Match` lists (RFC 9110, 13.1.1): compared strongly, so a weak one never is. */
function isMatch(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((listed) => listed.trim() === tag);
}

/** @throws EntityTagMismatchError unless the condition holds of the version of `what`; none (empty) always does */
export function assertMatch(ifMatch: string, version: number, what: string): void {
  const tag = entityTag(version);
  if (ifMatch !== "" && !isMatch(ifMatch, tag)) throw new EntityTagMismatchError(tag, what);
}
