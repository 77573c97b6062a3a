import type { DocumentStore, IndexPlan, Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { searchBackfill } from "@aiplatform/search";
import { JobArtifactStore } from "./artifact-references/job-artifact-store.ts";
import { DeletionStore } from "./deletions/deletion-store.ts";
import { JobLogStore } from "./job-log/job-log-store.ts";
import { JobNameStore } from "./job-names/job-name-store.ts";
import { DeletedRunStore } from "./lineage/deleted-run-store.ts";
import { mediaLimits } from "./media/media.ts";
import { MediaStore } from "./media/media-store.ts";
import { LogBatchStore, type LogRetention } from "./metric-reports/log-batch-store.ts";
import { MetricBucketStore } from "./metric-reports/metric-bucket-store.ts";
import { maxMetricsPerJob } from "./metric-reports/report.ts";
import { PipelineStore } from "./pipelines/pipeline-store.ts";
import { RunIndexStore } from "./run-index/run-index-store.ts";
import { RunStore } from "./runs/run-store.ts";
import { RunValueStore } from "./runs/run-value-store.ts";
import { trainingSearches } from "./search-rpc.ts";

/** What training keeps, each with the collection it keeps it in. */
export interface TrainingStores {
  pipelines: PipelineStore;
  runs: RunStore;
  index: RunIndexStore;
  logStore: JobLogStore;
  metricBuckets: MetricBucketStore;
  metricNames: JobNameStore;
  deletions: DeletionStore;
  deletedRuns: DeletedRunStore;
  logBatches: LogBatchStore;
  media: MediaStore;
  mediaNames: JobNameStore;
  jobArtifacts: JobArtifactStore;
}

const metricNames = "metric_names";
const mediaNames = "media_names";

/** The indexes of everything that training keeps. */
export const trainingIndexes: readonly IndexPlan[] = [
  JobLogStore.indexes,
  JobLogStore.snapshotIndexes,
  JobArtifactStore.indexes,
  PipelineStore.indexes,
  RunStore.indexes,
  RunValueStore.indexes,
  MetricBucketStore.indexes,
  OrganisationLimitStore.indexes,
  JobNameStore.indexesOf(metricNames),
  DeletionStore.indexes,
  DeletedRunStore.indexes,
  LogBatchStore.indexes,
  MediaStore.indexes,
  JobNameStore.indexesOf(mediaNames),
];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const trainingMigrations: readonly Migration[] = [{ version: 1, ...searchBackfill(trainingSearches) }];

/** The stores over one database. */
export function createStores(store: DocumentStore, retention: LogRetention): TrainingStores {
  return {
    pipelines: new PipelineStore(store),
    runs: new RunStore(store),
    index: new RunIndexStore(store),
    logStore: new JobLogStore(store),
    metricBuckets: new MetricBucketStore(store),
    metricNames: new JobNameStore(store, { collection: metricNames, maxNames: maxMetricsPerJob }),
    deletions: new DeletionStore(store),
    deletedRuns: new DeletedRunStore(store),
    logBatches: new LogBatchStore(store, retention),
    media: new MediaStore(store),
    mediaNames: new JobNameStore(store, { collection: mediaNames, maxNames: mediaLimits.namesPerJob }),
    jobArtifacts: new JobArtifactStore(store),
  };
}
