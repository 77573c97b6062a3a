import "./data.css";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Dataset } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Copyable } from "../ui/copyable.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Time } from "../ui/time.tsx";
import { ColumnsDialog } from "./columns-dialog.tsx";
import { type DatasetSearch, type DatasetTab, datasetTabs, readDatasetSearch } from "./dataset-search.ts";
import { DeleteDatasetDialog } from "./delete-dataset-dialog.tsx";
import { DictionaryPanel } from "./dictionary/dictionary-panel.tsx";
import { HistoryPanel } from "./dictionary/history-panel.tsx";
import { useDataset } from "./use-datasets.ts";
import { VersionsPanel } from "./versions/versions-panel.tsx";

const route = getRouteApi("/shell/data/$datasetId");

/** A dataset: its columns, what they mean, and who wrote that. */
export function DatasetPage() {
  const { datasetId } = route.useParams();
  const dataset = useDataset(datasetId);
  return (
    <Page
      title={dataset.data?.name ?? "Dataset"}
      trail={<Link to="/data">Data</Link>}
      actions={dataset.data && <DatasetActions dataset={dataset.data} />}
    >
      <QueryView query={dataset}>{(data) => <DatasetView dataset={data} />}</QueryView>
    </Page>
  );
}

function DatasetActions({ dataset }: { dataset: Dataset }) {
  const [asked, setAsked] = useState<"columns" | "delete">();
  const forbidden = useForbidden("dictionary:write");
  const close = () => setAsked(undefined);
  return (
    <>
      <Button forbidden={forbidden} onClick={() => setAsked("columns")}>
        Read columns from a file
      </Button>
      <Button forbidden={forbidden} onClick={() => setAsked("delete")}>
        Delete
      </Button>
      {asked === "columns" && <ColumnsDialog dataset={dataset} onClose={close} />}
      {asked === "delete" && <DeleteDatasetDialog dataset={dataset} onClose={close} />}
    </>
  );
}

function DatasetView({ dataset }: { dataset: Dataset }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const tab: DatasetTab = datasetTabs.find(({ name }) => name === search.tab)?.name ?? "dictionary";
  const go = (next: DatasetSearch, replace = false) =>
    void navigate({
      to: "/data/$datasetId",
      params: { datasetId: dataset.id },
      search: readDatasetSearch({ ...next }),
      replace,
    });
  return (
    <>
      <DatasetFacts dataset={dataset} />
      <Tabs tabs={datasetTabs} value={tab} onChange={(name) => go({ tab: name })}>
        {tab === "history" && (
          <HistoryPanel
            datasetId={dataset.id}
            entry={search.entry}
            onEntry={(entry) => go({ tab: "history", entry })}
          />
        )}
        {tab === "versions" && (
          <VersionsPanel
            datasetId={dataset.id}
            search={search}
            onChange={(next) => go(readDatasetSearch({ tab: "versions", ...next }))}
          />
        )}
        {tab === "dictionary" && (
          <DictionaryPanel
            key={dataset.id}
            dataset={dataset}
            find={search.find ?? ""}
            onFind={(find) => go({ find }, true)}
          />
        )}
      </Tabs>
    </>
  );
}

function DatasetFacts({ dataset: { id, description, columns, created_at, updated_at } }: { dataset: Dataset }) {
  return (
    <div className="stack-tight">
      {description && <p className="data-description">{description}</p>}
      <p className="row muted small">
        <span>
          {columns.length} {columns.length === 1 ? "column" : "columns"}
        </span>
        <span>
          created <Time at={created_at} />
        </span>
        <span>
          changed <Time at={updated_at} />
        </span>
        <Copyable text={id} />
      </p>
    </div>
  );
}
