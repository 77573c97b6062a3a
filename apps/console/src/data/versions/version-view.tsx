import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { apiUrl } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { LineagePanel } from "../../lineage/lineage-panel.tsx";
import { Button } from "../../ui/button.tsx";
import { Copyable } from "../../ui/copyable.tsx";
import { Meter } from "../../ui/meter.tsx";
import { bytesText } from "../../ui/numbers.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { PurgeDialog, Uses } from "./purge-dialog.tsx";
import { RowsPanel } from "./rows-panel.tsx";
import { StatisticsPanel } from "./statistics-panel.tsx";
import { type DatasetVersion, useVersion, type VersionPath } from "./use-versions.ts";
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
          {version.progress && <Progress progress={version.progress} />}
          <Predecessor version={version} />
          <p className="row muted small">
            {version.files.map(({ name, artifact_sha256 }) => (
              <span key={`${name} ${artifact_sha256}`} className="tag">
                {name}
              </span>
            ))}
            <Copyable text={version.id} />
          </p>
          {version.query?.sql && <QueryText query={version.query} />}
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
      {isGone(version) && <UsesPanel path={path} />}
      <LineagePanel kind="dataset_version" id={version.id} />
    </>
  );
}

/** The query of which the version is made, and what it has read. */
function QueryText({ query: { sql, sources } }: { query: NonNullable<DatasetVersion["query"]> }) {
  const read = sources.map(({ name, number }) => `${name}: version ${number}`).join(", ");
  return (
    <figure>
      <figcaption className="muted small">Made by a query over {read}</figcaption>
      <pre>{sql}</pre>
    </figure>
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
      <strong>{place.length > 0 ? place.join(", ") : "The version cannot be made"}</strong>
      <p>{problem.message}</p>
      <p>{problem.remedy}</p>
    </div>
  );
}

function VersionActions({ version }: { version: DatasetVersion }) {
  const [isAsking, setIsAsking] = useState(false);
  const forbidden = useForbidden("data:write");
  const content = `${apiUrl}/platform/datasets/${version.dataset_id}/versions/${version.id}/content`;
  return (
    <>
      {version.state === "ready" && (
        <a className="button" href={content}>
          Download Parquet
        </a>
      )}
      {!isGone(version) && (
        <Button forbidden={forbidden} onClick={() => setIsAsking(true)}>
          Purge
        </Button>
      )}
      {isAsking && <PurgeDialog version={version} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function isGone({ state }: DatasetVersion): boolean {
  return state === "purging" || state === "purged";
}

/** How far the reading is. */
function Progress({ progress }: { progress: NonNullable<DatasetVersion["progress"]> }) {
  const { bytes_read: read, bytes_total: total } = progress;
  return (
    <div className="stack-tight">
      <p className="muted small">
        {bytesText(read)} of {bytesText(total)} read
      </p>
      <Meter share={total > 0 ? read / total : 0} />
    </div>
  );
}

/** Which version it is made of. */
function Predecessor({ version }: { version: DatasetVersion }) {
  if (version.predecessor === null) return null;
  const { version_id, number, matching_rows } = version.predecessor;
  return (
    <p className="small">
      <Link
        to="/data/$datasetId"
        params={{ datasetId: version.dataset_id }}
        search={{ tab: "versions", version: version_id }}
      >
        {matching_rows === "keep"
          ? `Made of some rows of version ${number}`
          : `Made of version ${number}, without some of its rows`}
      </Link>
    </p>
  );
}

/** What had used the data when it was removed. */
function UsesPanel({ path }: { path: VersionPath }) {
  const version = useVersion(path);
  return (
    <Panel title="Used by, when it was purged">
      <QueryView query={version} rows={1}>
        {({ uses }) => <Uses used={uses} />}
      </QueryView>
    </Panel>
  );
}
