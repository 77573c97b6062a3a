import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import type { Member } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { readListSearch } from "../../shell/search-texts.ts";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { FilteredList } from "../../ui/filtered-list.tsx";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PeoplePage } from "../people-page.tsx";
import { RoleNames } from "../roles/role-names.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { useMembers } from "./use-members.ts";

const route = getRouteApi("/shell/people/members");

const orders = [
  { value: "", label: "Oldest first" },
  { value: "created_at desc", label: "Newest first" },
  { value: "display_name", label: "By name" },
  { value: "email", label: "By e-mail address" },
] as const;

const quick = [
  { label: "Active", filter: "status = active" },
  { label: "Invited", filter: "status = invited" },
  { label: "Inactive", filter: "status = inactive" },
] as const;

const noMembers = (
  <Empty title="No members yet">
    <p>Invite the first one by e-mail address.</p>
  </Empty>
);

/** The members of the organisation: found by a filter, invited. */
export function MembersPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const [isInviting, setIsInviting] = useState(false);
  const forbidden = useForbidden("members:manage");
  const members = useMembers(search);
  const go = (next: ListSearch) => void navigate({ to: "/people/members", search: readListSearch({ ...next }) });
  return (
    <PeoplePage
      title="Members"
      permission="members:manage"
      actions={
        <Button kind="primary" forbidden={forbidden} onClick={() => setIsInviting(true)}>
          <UserPlus size={15} aria-hidden="true" />
          Invite
        </Button>
      }
    >
      <FilteredList
        one="member"
        many="members"
        search={search}
        onChange={go}
        placeholder="status = active AND NOT last_seen_at:*"
        orders={orders}
        quick={quick}
        list={members}
        empty={noMembers}
      >
        {(items) => <MembersTable members={items} />}
      </FilteredList>
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
    </PeoplePage>
  );
}

function MembersTable({ members }: { members: readonly Member[] }) {
  return (
    <Table caption="Members" columns={["Name", "Status", "Roles", "Last seen", "Added"]}>
      {members.map(({ id, display_name, email, status, role_ids, last_seen_at, created_at }) => (
        <tr key={id}>
          <td className="person">
            <Link to="/people/members/$memberId" params={{ memberId: id }}>
              {display_name}
            </Link>
            <span className="muted small-block">{email}</span>
          </td>
          <td>
            <StateChip state={status} />
          </td>
          <td>
            <RoleNames ids={role_ids} />
          </td>
          <td>{last_seen_at === null ? <span className="muted">never</span> : <Time at={last_seen_at} />}</td>
          <td>
            <Time at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
