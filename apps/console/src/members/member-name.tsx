import { Link } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import { shortId } from "../ui/short-id.ts";
import { useKnownMembers, useMember } from "./use-known-members.ts";

/** A member by name, with a link to their page; by id where the caller may not read members. */
export function MemberName({ id }: { id: string }) {
  const { data: known, isFetching, isEnabled } = useKnownMembers();
  // One beyond the first thousand is asked for alone.
  const isBeyond = known !== undefined && !known.isWhole && !known.byId.has(id);
  const { data: single } = useMember(isBeyond ? id : null);
  const { data: session } = useSession();
  const own = session?.member?.id === id ? session.member.display_name : undefined;
  const name = known?.byId.get(id)?.display_name ?? single?.display_name ?? own;
  if (name === undefined) return isFetching ? <span className="muted">…</span> : <code title={id}>{shortId(id)}</code>;
  if (!isEnabled) return name;
  return (
    <Link to="/people/members/$memberId" params={{ memberId: id }}>
      {name}
    </Link>
  );
}
