import type { DocumentStore, IndexPlan, Migration } from "@aiplatform/document-store";
import { OrganisationLimitStore } from "@aiplatform/quotas";
import { StatisticsStore } from "./dataset-statistics/statistics-store.ts";
import { DatasetNumbering } from "./dataset-versions/dataset-numbering.ts";
import { DatasetVersionStore } from "./dataset-versions/version-store.ts";
import { EmbeddingPartStore } from "./embeddings/embedding-part-store.ts";
import { EmbeddingStore } from "./embeddings/embedding-store.ts";

/** What the service keeps, each with the collection it keeps it in. */
export interface DataStores {
  versions: DatasetVersionStore;
  numbering: DatasetNumbering;
  statistics: StatisticsStore;
  embeddings: EmbeddingStore;
  parts: EmbeddingPartStore;
}

/** The indexes of everything that the service keeps. */
export const dataIndexes: readonly IndexPlan[] = [
  DatasetVersionStore.indexes,
  DatasetNumbering.indexes,
  StatisticsStore.indexes,
  EmbeddingStore.indexes,
  EmbeddingPartStore.indexes,
  OrganisationLimitStore.indexes,
];

/** How documents of earlier versions become those of this one. A row that was released stays as it is. */
export const dataMigrations: readonly Migration[] = [];

export function createStores(store: DocumentStore): DataStores {
  return {
    versions: new DatasetVersionStore(store),
    numbering: new DatasetNumbering(store),
    statistics: new StatisticsStore(store),
    embeddings: new EmbeddingStore(store),
    parts: new EmbeddingPartStore(store),
  };
}
