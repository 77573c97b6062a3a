import { JobCompletedSchema, PipelineCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import {
  type Consumer,
  decodeEvent,
  type EventStream,
  eventSubject,
  eventType,
  type ReceivedEvent,
} from "@aiplatform/event-stream";
import { type RegisterDependencies, registerResult } from "./register-result.ts";

interface Dependencies extends RegisterDependencies {
  stream: EventStream;
  store: DocumentStore;
  /** Called when a version waits for its artifact. */
  signalIngestion: () => void;
}

/** From this attempt on the pipeline's name is not waited for: its creation event has left the stream. */
const attemptWithoutName = 4;

/** Registers what completed jobs leave as versions of their pipelines' models. */
export function consumeTraining(dependencies: Dependencies): Consumer {
  const { stream, store, signalIngestion } = dependencies;
  return stream.consume({
    durable: "deployments-training",
    subjects: [eventSubject(PipelineCreatedSchema), eventSubject(JobCompletedSchema)],
    store,
    handler: async (event, session) => {
      if (event.type === eventType(PipelineCreatedSchema)) return knowPipeline(dependencies, event, session);
      await register(dependencies, event, session);
      session.once("ended", signalIngestion);
    },
  });
}

async function knowPipeline(
  { knownPipelines }: Dependencies,
  { data }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { organisationId, pipelineId: id, name } = decodeEvent(PipelineCreatedSchema, data);
  await knownPipelines.put(organisationId, { id, name }, session);
}

async function register(
  dependencies: Dependencies,
  { data, attempt }: ReceivedEvent,
  session: ClientSession,
): Promise<void> {
  const { checkpointId, ...completed } = decodeEvent(JobCompletedSchema, data);
  const { organisationId, pipelineId, runId, jobName, artifactUri, artifactSha256, artifactFormat } = completed;
  // A job may end well and leave nothing to deploy.
  if (artifactUri === "" && artifactSha256 === "") return;
  const source = { pipelineId, runId, jobName, ...(checkpointId !== "" && { checkpointId }) };
  const result = { organisationId, artifactUri, artifactSha256, artifactFormat, ...source };
  await registerResult(dependencies, result, { nameless: attempt >= attemptWithoutName, session });
}
