import "./drafts.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { EmailDraft } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { MemberName } from "../members/member-name.tsx";
import { Allowed } from "../shell/allowed.tsx";
import { Page } from "../shell/page.tsx";
import { readListSearch } from "../shell/search-texts.ts";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { FilteredList } from "../ui/filtered-list.tsx";
import type { ListSearch } from "../ui/list-filter.tsx";
import { Empty } from "../ui/panel.tsx";
import { Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { useDrafts } from "./use-drafts.ts";

const route = getRouteApi("/shell/drafts");

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
] as const;

const quick = [
  { label: "Not sent", filter: "status = draft" },
  { label: "Sent", filter: "status = sent" },
  { label: "Failed", filter: "status = failed OR status = partially_sent" },
] as const;

const noDrafts = (
  <Empty title="No drafts yet">
    <p>A draft is an e-mail to members. Nothing is sent until you send it.</p>
  </Empty>
);

/** The e-mail drafts of the organisation. */
export function DraftsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const drafts = useDrafts(search);
  const go = (next: ListSearch) => void navigate({ to: "/drafts", search: readListSearch({ ...next }) });
  return (
    <Page title="Drafts" actions={<NewDraft />}>
      <Allowed permission="emails:write">
        <FilteredList
          one="draft"
          many="drafts"
          search={search}
          onChange={go}
          placeholder="status = draft AND created_at >= 2026-01-01T00:00:00Z"
          orders={orders}
          quick={quick}
          list={drafts}
          empty={noDrafts}
        >
          {(items) => <DraftsTable drafts={items} />}
        </FilteredList>
      </Allowed>
    </Page>
  );
}

function NewDraft() {
  const forbidden = useForbidden("emails:write");
  const content = (
    <>
      <Plus size={15} aria-hidden="true" />
      New draft
    </>
  );
  if (forbidden !== undefined) return <Button forbidden={forbidden}>{content}</Button>;
  return (
    <Link className="button" data-kind="primary" to="/drafts/new">
      {content}
    </Link>
  );
}

function DraftsTable({ drafts }: { drafts: readonly EmailDraft[] }) {
  return (
    <Table
      caption="Drafts"
      columns={["Subject", "State", { name: "Recipients", isRight: true }, "Written by", "Changed", "Sent"]}
    >
      {drafts.map((draft) => (
        <tr key={draft.id}>
          <td className="draft-subject">
            <Link to="/drafts/$draftId" params={{ draftId: draft.id }}>
              {draft.subject}
            </Link>
          </td>
          <td>
            <StateChip state={draft.status} />
          </td>
          <td className="right number">{draft.recipient_member_ids.length.toLocaleString("en")}</td>
          <td>
            {draft.created_by_member_id === null ? (
              <span className="muted">a program</span>
            ) : (
              <MemberName id={draft.created_by_member_id} />
            )}
          </td>
          <td>
            <Time at={draft.updated_at} />
          </td>
          <td>
            <Time at={draft.sent_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
