import type { DictionaryChange } from "../../api/platform.ts";
import { MemberName } from "../../members/member-name.tsx";

/** Who made a change: a person, or a program and the person who has its key. */
export function Author({ change }: { change: Pick<DictionaryChange, "author_kind" | "author_member_id"> }) {
  const { author_kind, author_member_id: id } = change;
  if (id === null) return author_kind === "program" ? "a program" : "a person";
  return (
    <>
      {author_kind === "program" && "a program of "}
      <MemberName id={id} />
    </>
  );
}
