import { useState } from "react";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { StateChip } from "../../ui/chip.tsx";
import type { ListSearch } from "../../ui/list-filter.tsx";
import { bytesText } from "../../ui/numbers.ts";
import { Empty, Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { NewVersionDialog } from "./new-version-dialog.tsx";
import { type DatasetVersion, useVersions } from "./use-versions.ts";
import { VersionView } from "./version-view.tsx";

/** What the address says of the versions. */
export interface VersionsSearch extends ListSearch {
  version?: string | undefined;
}

interface VersionsPanelProps {
  datasetId: string;
  search: VersionsSearch;
  onChange: (search: VersionsSearch) => void;
}

const noVersions = (
  <Empty title="No data yet">
    <p>Create a version: upload CSV, JSON lines, Parquet or Arrow, and look at its rows here.</p>
  </Empty>
);

/** The versions of a dataset, and the one that is chosen: the newest without a choice. */
export function VersionsPanel({ datasetId, search, onChange }: VersionsPanelProps) {
  const [isCreating, setIsCreating] = useState(false);
  const cannotRead = useForbidden("data:read");
  const cannotWrite = useForbidden("data:write");
  const versions = useVersions(datasetId, cannotRead === undefined);
  if (cannotRead) return <Empty title="The data is not shown">{cannotRead}</Empty>;
  const chosen = versions.data?.find(({ id }) => id === search.version) ?? versions.data?.[0];
  return (
    <>
      <Panel
        title="Versions"
        isFlush
        actions={
          <>
            {versions.hasNextPage && (
              <Button isPending={versions.isFetchingNextPage} onClick={() => void versions.fetchNextPage()}>
                Show more
              </Button>
            )}
            <Button kind="primary" forbidden={cannotWrite} onClick={() => setIsCreating(true)}>
              New version
            </Button>
          </>
        }
      >
        <QueryView query={versions} rows={3}>
          {(items) =>
            items.length === 0 ? (
              noVersions
            ) : (
              <VersionsTable versions={items} chosen={chosen?.id} onChoose={(version) => onChange({ version })} />
            )
          }
        </QueryView>
      </Panel>
      {chosen && <VersionView key={chosen.id} version={chosen} search={search} onChange={onChange} />}
      {isCreating && (
        <NewVersionDialog
          datasetId={datasetId}
          onClose={() => setIsCreating(false)}
          onCreated={(version) => {
            setIsCreating(false);
            onChange({ version });
          }}
        />
      )}
    </>
  );
}

interface VersionsTableProps {
  versions: readonly DatasetVersion[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
}

function VersionsTable({ versions, chosen, onChoose }: VersionsTableProps) {
  const columns = ["Version", "State", { name: "Rows", isRight: true }, { name: "Size", isRight: true }, "Created"];
  return (
    <Table caption="Versions" columns={columns}>
      {versions.map(({ id, number, state, description, row_count, size_bytes, created_at }) => (
        <tr key={id}>
          <td className="data-name">
            <Button kind="quiet" size="small" aria-pressed={id === chosen} onClick={() => onChoose(id)}>
              Version {number}
            </Button>
            {description && <span className="muted small-block data-description">{description}</span>}
          </td>
          <td>
            <StateChip state={state} />
          </td>
          <td className="right number">{row_count.toLocaleString("en")}</td>
          <td className="right number">{bytesText(size_bytes)}</td>
          <td>
            <Time at={created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
