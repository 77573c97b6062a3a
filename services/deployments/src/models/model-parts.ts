import type { DocumentStore } from "@aiplatform/document-store";
import type { EventStream } from "@aiplatform/event-stream";
import type { WorkerPlatform } from "@aiplatform/service-kit";
import { sweepUploads } from "../artifacts/upload-sweep.ts";
import type { DeploymentsDependencies } from "../dependencies.ts";
import { consumeDatasets } from "./dataset-consumer.ts";
import { Ingestions } from "./ingestions.ts";
import { consumeTraining } from "./training-consumer.ts";

/** What goes on beside the calls. */
export interface ModelParts extends DeploymentsDependencies, WorkerPlatform {
  store: DocumentStore;
  stream: EventStream;
  /** Directories from which results of runs are taken over. */
  sources: readonly string[];
}

/** Registers results of runs, fetches their artifacts, learns of datasets and forgets what was never uploaded to its end. */
export function startModelParts(parts: ModelParts): AsyncDisposable {
  const started = new AsyncDisposableStack();
  const ingestions = started.use(new Ingestions(parts));
  started.use(consumeTraining({ ...parts, wake: ingestions.wake }));
  started.use(consumeDatasets(parts));
  started.use(sweepUploads(parts));
  return started;
}
