import type { Caller } from "@aiplatform/caller-identity";

/** Identity of the caller in notebooks. */
export interface NotebookUser {
  /** Name at the hub: the same for one member or key for ever, and unique over all organisations. */
  username: string;
  kind: "member" | "api_key";
  /** Name for people. */
  name: string;
  /** Slugs of the roles held; a key holds none. */
  roles: string[];
}

/** The name at the hub. Ids are unique over all organisations, and the prefix keeps members and keys apart. */
export function hubUsername({ memberId, credentialId }: Pick<Caller, "memberId" | "credentialId">): string {
  return memberId === undefined ? `key-${credentialId}` : `member-${memberId}`;
}

/** Whom a name at the hub stands for; undefined where it is none of ours. */
export function userOfHub(username: string): { memberId: string } | { apiKeyId: string } | undefined {
  const [, kind, id = ""] = /^(member|key)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(username) ?? [];
  if (kind === undefined) return undefined;
  return kind === "member" ? { memberId: id } : { apiKeyId: id };
}

/** Up to two letters for a badge: of the first and the last word. Undefined where a name has neither letter nor digit. */
export function initialsOf(name: string): string | undefined {
  const letters = name.split(/\s+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const [first] = letters;
  if (first === undefined) return undefined;
  return `${first}${letters.length > 1 ? letters.at(-1) : ""}`.toUpperCase();
}
