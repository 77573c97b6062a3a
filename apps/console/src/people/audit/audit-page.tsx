import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { AuditRecord } from "../../api/platform.ts";
import { MemberName } from "../../members/member-name.tsx";
import { StateChip } from "../../ui/chip.tsx";
import { ListPanel } from "../../ui/list-panel.tsx";
import { Empty } from "../../ui/panel.tsx";
import { shortId } from "../../ui/short-id.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { PeoplePage } from "../people-page.tsx";
import { AuditFilter } from "./audit-filter.tsx";
import { type AuditSearch, readAuditSearch } from "./audit-search.ts";
import { ExportButton } from "./export-button.tsx";
import { useAudit } from "./use-audit.ts";

const route = getRouteApi("/shell/people/audit");

/** Who did what, and who was refused: found by filters, saved as a file. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const records = useAudit(search);
  const go = (next: AuditSearch) => void navigate({ to: "/people/audit", search: readAuditSearch({ ...next }) });
  return (
    <PeoplePage title="Audit log" permission="audit:read" actions={<ExportButton search={search} />}>
      <AuditFilter key={JSON.stringify(search)} search={search} onChange={go} />
      <ListPanel
        label="Records"
        list={records}
        empty={
          <Empty title="No record fits">
            <p>Change or clear the filters above.</p>
          </Empty>
        }
      >
        {(items) => <RecordsTable records={items} search={search} />}
      </ListPanel>
    </PeoplePage>
  );
}

interface RecordsTableProps {
  records: readonly AuditRecord[];
  search: AuditSearch;
}

function RecordsTable({ records, search }: RecordsTableProps) {
  return (
    <Table caption="Audit records" columns={["When", "Who", "Action", "Outcome", "About", "Request"]}>
      {records.map((record) => (
        <tr key={record.id}>
          <td>
            <Time at={record.at} />
          </td>
          <td>
            <Actor record={record} search={search} />
          </td>
          <td>
            <Link to="/people/audit" search={{ ...search, action: record.action }} title="Only this action">
              <code>{record.action}</code>
            </Link>
            {record.rpc !== null && <code className="muted small-block">{record.rpc.split(".").at(-1)}</code>}
          </td>
          <td>
            <Outcome record={record} />
          </td>
          <td>
            <FilterLink name="entity" value={record.entity_id} search={search} />
          </td>
          <td>
            <FilterLink name="request" value={record.request_id} search={search} />
            {record.request_id_source === "caller" && <span className="muted small-block">id of the caller</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Actor({ record: { actor, source_address }, search }: { record: AuditRecord; search: AuditSearch }) {
  const { member_id, credential_id } = actor;
  if (member_id !== null)
    return (
      <>
        <MemberName id={member_id} />
        {credential_id !== null && (
          <span className="muted small-block" title={credential_id}>
            {credential_id.startsWith("session:") ? "in a browser" : "by a credential"}
          </span>
        )}
      </>
    );
  if (credential_id !== null) return <FilterLink name="credential" value={credential_id} search={search} />;
  return <span className="muted">{source_address ?? "the platform"}</span>;
}

function Outcome({ record: { outcome, reason, count } }: { record: AuditRecord }) {
  return (
    <>
      <StateChip state={outcome} />
      {reason !== null && (
        <span className="muted small-block">
          {reason.toLowerCase()}
          {count !== null && count > 1 && `, ${count} times`}
        </span>
      )}
    </>
  );
}

interface FilterLinkProps {
  name: "entity" | "request" | "credential";
  value: string | null;
  search: AuditSearch;
}

/** A value that is a filter, too. */
function FilterLink({ name, value, search }: FilterLinkProps) {
  if (value === null) return <span className="muted">–</span>;
  return (
    <Link to="/people/audit" search={{ ...search, [name]: value }} title={`Only ${value}`}>
      <code>{shortId(value)}</code>
    </Link>
  );
}
