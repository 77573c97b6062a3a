import {
  JobCompletedSchema,
  PipelineCreatedSchema,
  PipelineDeletedSchema,
  PipelineUpdatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/training";
import type { ClientSession, DocumentStore } from "@aiplatform/document-store";
import {
  type Consumer,
  decodeEvent,
  type EventStream,
  eventSubject,
  eventType,
  type ReceivedEvent,
} from "@aiplatform/event-stream";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type RegisterDependencies, registerResult } from "./register-result.ts";

interface Dependencies extends RegisterDependencies {
  stream: EventStream;
  store: DocumentStore;
  /** Called when a version waits for its artifact. */
  signalIngestion: () => void;
}

/** From this attempt on the pipeline's name is not waited for: its creation event has left the stream. */
const attemptWithoutName = 4;

const heard = [PipelineCreatedSchema, PipelineUpdatedSchema, PipelineDeletedSchema, JobCompletedSchema];

/** Registers what completed jobs leave as versions of their pipelines' models. */
export function consumeTraining(dependencies: Dependencies): Consumer {
  const { stream, store, signalIngestion } = dependencies;
  return stream.consume({
    durable: "deployments-training",
    subjects: heard.map((schema) => eventSubject(schema)),
    store,
    handler: async (event, session) => {
      if (event.type !== eventType(JobCompletedSchema)) return knowPipeline(dependencies, event, session);
      await register(dependencies, event, session);
      session.once("ended", signalIngestion);
    },
  });
}

/** A model that exists keeps its name; those of models to come are the pipelines' newest. */
function knowPipeline({ knownPipelines }: Dependencies, { type, data }: ReceivedEvent, session: ClientSession) {
  if (type === eventType(PipelineDeletedSchema)) {
    const { organisationId, pipelineId } = decodeEvent(PipelineDeletedSchema, data);
    return knownPipelines.delete(organisationId, pipelineId, session);
  }
  if (type === eventType(PipelineUpdatedSchema)) {
    const { organisationId, pipelineId: id, name, updatedAt } = decodeEvent(PipelineUpdatedSchema, data);
    return knownPipelines.put(organisationId, { id, name, toldAt: dateOf(updatedAt) }, session);
  }
  const { organisationId, pipelineId: id, name, createdAt } = decodeEvent(PipelineCreatedSchema, data);
  return knownPipelines.put(organisationId, { id, name, toldAt: dateOf(createdAt) }, session);
}

function dateOf(time: Timestamp | undefined): Date {
  return time ? timestampDate(time) : new Date(0);
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
