import type { ClientSession } from "@aiplatform/document-store";
import type { DomainPlatform } from "@aiplatform/service-kit";
import type { KnownPipelineStore } from "../projections/known-pipeline-store.ts";
import { createModel } from "./create-model.ts";
import { type Model, namesForPipeline } from "./model.ts";
import { modelVersionCreated } from "./model-events.ts";
import type { ModelStore } from "./model-store.ts";
import type { ModelVersionSource, PendingVersion } from "./model-version.ts";
import type { ModelVersionStore } from "./model-version-store.ts";

export interface RegisterDependencies extends Pick<DomainPlatform, "outbox" | "clock" | "newId"> {
  models: ModelStore;
  modelVersions: ModelVersionStore;
  knownPipelines: KnownPipelineStore;
}

/** What a job left when it completed. */
export interface JobResult extends ModelVersionSource {
  organisationId: string;
  artifactUri: string;
  artifactSha256: string;
  artifactFormat: string;
}

/** Nothing is known of the pipeline yet: its creation comes by another way than its jobs' ends, perhaps later. */
class PipelineUnknownError extends Error {
  override name = "PipelineUnknownError";
  constructor(pipelineId: string) {
    super(`nothing is known of the pipeline ${pipelineId} yet`);
  }
}

/**
 * Registers a job's result as a version of its pipeline's model, which is made if there is none; its artifact is
 * fetched afterwards. A job whose result is registered makes no other version.
 * @throws PipelineUnknownError unless `nameless` says that the model is to be called after the pipeline's id then
 */
export async function registerResult(
  dependencies: RegisterDependencies,
  { organisationId, artifactUri, artifactSha256, artifactFormat, ...source }: JobResult,
  { nameless, session }: { nameless: boolean; session: ClientSession },
): Promise<void> {
  const { models, modelVersions, outbox, clock, newId } = dependencies;
  if (await modelVersions.ofJob(organisationId, source, session)) return;
  const { pipelineId } = source;
  const known = await models.ofPipeline(organisationId, pipelineId, session);
  const { id: modelId } = known ?? (await modelOf(dependencies, { organisationId, pipelineId, nameless }, session));
  const number = (await models.takeNumber(organisationId, modelId, session)) ?? 1;
  const time = clock();
  const version: PendingVersion = {
    id: newId(),
    organisationId,
    modelId,
    number,
    status: "pending",
    format: artifactFormat,
    artifactSha256,
    sizeBytes: 0,
    source,
    createdAt: time,
    uri: artifactUri,
  };
  await modelVersions.insert(organisationId, version, session);
  await outbox.stage(session, modelVersionCreated(version, time));
}

async function modelOf(
  dependencies: RegisterDependencies,
  { organisationId, pipelineId, nameless }: { organisationId: string; pipelineId: string; nameless: boolean },
  session: ClientSession,
): Promise<Model> {
  const { models, knownPipelines } = dependencies;
  const pipelineName = await knownPipelines.nameOf(organisationId, pipelineId, session);
  if (pipelineName === undefined && !nameless) throw new PipelineUnknownError(pipelineId);
  const names = namesForPipeline(pipelineName ?? `pipeline ${pipelineId}`, pipelineId);
  const taken = await models.taken(organisationId, names, session);
  const name = names.find((each) => !taken.has(each)) ?? pipelineId;
  return createModel(dependencies, { organisationId, name, description: "", pipelineId }, session);
}
