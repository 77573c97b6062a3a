import type { Caller } from "@aiplatform/caller-identity";

/** Who writes: a person, known as a member, or a program. */
export type Author = { kind: "person"; memberId: string } | { kind: "program" };

/** The author of what no person has written. */
export const program: Author = { kind: "program" };

/** A member is a person; an API key that acts for itself is a program. */
export function authorOf({ memberId }: Pick<Caller, "memberId">): Author {
  return memberId === undefined ? program : { kind: "person", memberId };
}
