import { useMemberName } from "../../api/people.ts";
import type { DictionaryChange } from "../../api/platform.ts";
import { Copyable } from "../../ui/copyable.tsx";

/** Who made a change: a person by their name, as far as the viewer may know it, or a program. */
export function Author({ change }: { change: Pick<DictionaryChange, "author_kind" | "author_member_id"> }) {
  const { author_kind, author_member_id } = change;
  const name = useMemberName(author_member_id);
  if (author_kind === "program") return <>a program{name !== undefined && ` of ${name}`}</>;
  if (name !== undefined) return <>{name}</>;
  if (author_member_id === null) return <>a person</>;
  return <Copyable text={author_member_id} shown={`member ${author_member_id.slice(-6)}`} />;
}
