import { useState } from "react";
import { apiUrl } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { RowsPanel } from "./rows-panel.tsx";
import { StatisticsPanel } from "./statistics-panel.tsx";
import { type DatasetVersion, usePurgeVersion } from "./use-versions.ts";
import type { VersionsSearch } from "./versions-panel.tsx";

interface VersionViewProps {
  version: DatasetVersion;
  search: VersionsSearch;
  onChange: (search: VersionsSearch) => void;
}

/** A version: what its files are, why they cannot be read, or its rows and what its columns hold. */
export function VersionView({ version, search, onChange }: VersionViewProps) {
  const path = { dataset_id: version.dataset_id, version_id: version.id };
  return (
    <>
      <Panel title={`Version ${version.number}`} actions={<VersionActions version={version} />}>
        <div className="stack-tight">
          {version.problem && <ProblemNotice problem={version.problem} />}
          <p className="row muted small">
            {version.files.map(({ name, artifact_sha256 }) => (
              <span key={`${name} ${artifact_sha256}`} className="tag">
                {name}
              </span>
            ))}
            <Copyable text={version.id} />
          </p>
        </div>
      </Panel>
      {version.state === "ready" && (
        <>
          <RowsPanel
            columns={version.columns}
            path={path}
            search={search}
            onChange={(next) => onChange({ version: version.id, ...next })}
          />
          <StatisticsPanel path={path} />
        </>
      )}
    </>
  );
}

function ProblemNotice({ problem }: { problem: NonNullable<DatasetVersion["problem"]> }) {
  const place = [
    problem.file,
    problem.line !== null && `line ${problem.line}`,
    problem.column !== null && `column ${problem.column}`,
  ].filter(Boolean);
  return (
    <div className="notice" data-tone="bad" role="status">
      <strong>{place.length > 0 ? place.join(", ") : "The files cannot be read"}</strong>
      <p>{problem.message}</p>
      <p>{problem.remedy}</p>
    </div>
  );
}

function VersionActions({ version }: { version: DatasetVersion }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("data:write");
  const toast = useToast();
  const purge = usePurgeVersion({ dataset_id: version.dataset_id, version_id: version.id });
  const isGone = version.state === "purging" || version.state === "purged";
  const content = `${apiUrl}/platform/datasets/${version.dataset_id}/versions/${version.id}/content`;
  return (
    <>
      {version.state === "ready" && (
        <a className="button" href={content}>
          Download Parquet
        </a>
      )}
      {!isGone && (
        <Button forbidden={forbidden} onClick={() => setIsAsking(true)}>
          Purge
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={`Purge version ${version.number}`}
          description="Its rows, its statistics and its files are removed for good. Its number, its columns and the digests of its files stay."
          confirmLabel="Purge"
          isPending={purge.isPending}
          error={purge.error}
          onClose={() => setIsAsking(false)}
          onConfirm={() =>
            purge.mutate(undefined, {
              onSuccess: () => {
                toast.good(`The data of version ${version.number} is being removed`);
                setIsAsking(false);
              },
            })
          }
        />
      )}
    </>
  );
}
