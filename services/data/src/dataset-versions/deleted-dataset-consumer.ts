import { DatasetDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import type { ClientSession } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { DatasetNumbering } from "./dataset-numbering.ts";
import type { DatasetRef } from "./dataset-version.ts";
import type { DatasetVersionStore } from "./version-store.ts";

interface Dependencies extends Pick<DomainPlatform, "stream" | "store" | "clock"> {
  versions: DatasetVersionStore;
  numbering: DatasetNumbering;
  /** What is kept of its versions elsewhere. */
  statistics: KeptOfDataset;
  embeddings: KeptOfDataset;
  parts: KeptOfDataset;
  /** Records that nothing of the dataset is sent out of the platform any longer. */
  endExports(dataset: DatasetRef, write: { now: Date; session: ClientSession }): Promise<void>;
}

interface KeptOfDataset {
  removeDataset(dataset: DatasetRef, session: ClientSession): Promise<void>;
}

/** Forgets the versions of datasets that are deleted. Their artifacts are collected, once nothing else refers to them. */
export function forgetDeletedDatasets(dependencies: Dependencies): Consumer {
  const { stream, store, clock, versions, numbering, endExports, ...kept } = dependencies;
  return stream.consume({
    durable: "data-deleted-datasets",
    subjects: [eventSubject(DatasetDeletedSchema)],
    store,
    handler: async ({ data }, session) => {
      const dataset = decodeEvent(DatasetDeletedSchema, data);
      // First: a version that is created at the same time is written before, or refused.
      await numbering.close(dataset, session);
      await versions.removeDataset(dataset, session);
      await endExports(dataset, { now: clock(), session });
      for (const each of [kept.statistics, kept.embeddings, kept.parts]) await each.removeDataset(dataset, session);
    },
  });
}
