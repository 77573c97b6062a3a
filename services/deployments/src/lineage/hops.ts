import { DatasetLineageService } from "@aiplatform/contract/aiplatform/data/v1/dataset_lineage";
import type { LineageMatches as MatchesMessage } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { RunLineageService } from "@aiplatform/contract/aiplatform/training/v1/lineage";
import {
  kindMessages,
  type LineageKind,
  type LineageMatches,
  type LineageSearch,
  matchesOf,
  refsTo,
  type Thing,
} from "@aiplatform/service-kit/lineage";
import type { DataCalls } from "../data-calls.ts";
import type { DeploymentVersionStore } from "../deployment-versions/deployment-version-store.ts";
import type { DeploymentDocument } from "../deployments/deployment-document.ts";
import type { DeploymentStore } from "../deployments/deployment-store.ts";
import type { ModelStore } from "../models/model-store.ts";
import type { ModelVersionStore } from "../models/model-version-store.ts";
import type { TrainingCalls } from "../training-calls.ts";
import type { Hop, Hops } from "./lineage.ts";

export interface HopDependencies {
  training: Pick<TrainingCalls, "ask">;
  /** Undefined where the data service is not installed: then there is no data. */
  data: Pick<DataCalls, "ask"> | undefined;
  models: Pick<ModelStore, "names">;
  modelVersions: Pick<ModelVersionStore, "lineage" | "ofPipeline">;
  deployments: Pick<DeploymentStore, "lineage">;
  deploymentVersions: Pick<DeploymentVersionStore, "idsOfModelVersions" | "modelVersionsOf">;
}

/** Time that another service has for its answer, ms. */
const timeoutMs = 5_000;

const none: LineageMatches<Thing> = { things: [], total: 0 };

/** How each kind is found. @throws DatasetsUnavailableError, TrainingUnavailableError, from what they return */
export function hopsOf(dependencies: HopDependencies): Hops {
  return {
    dataset_version: dataHop(dependencies, "dataset_version"),
    dataset_embedding: dataHop(dependencies, "dataset_embedding"),
    run: runHop(dependencies),
    model_version: async (search) =>
      named(dependencies, search.organisationId, dependencies.modelVersions.lineage(search)),
    deployment: (search) => deploymentHop(dependencies, search),
  };
}

/** The first versions of models that were made of runs of a pipeline. */
export function modelVersionsOfPipeline(
  dependencies: Pick<HopDependencies, "models" | "modelVersions">,
  { organisationId, pipelineId, limit }: { organisationId: string; pipelineId: string; limit: number },
): Promise<LineageMatches<Thing>> {
  const { modelVersions } = dependencies;
  return named(dependencies, organisationId, modelVersions.ofPipeline(organisationId, pipelineId, limit));
}

function dataHop({ data }: HopDependencies, kind: LineageKind): Hop {
  return async (search) => {
    const request = { query: queryOf(kind, search) };
    const answer = await data?.ask(DatasetLineageService, (client) =>
      client.findLineageOfDatasets(request, { timeoutMs }),
    );
    return matched(answer?.matches);
  };
}

function runHop({ training }: HopDependencies): Hop {
  return async (search) => {
    const request = { query: queryOf("run", search) };
    const answer = await training.ask(RunLineageService, (client) => client.findLineageOfRuns(request, { timeoutMs }));
    return matched(answer.matches);
  };
}

function queryOf(kind: LineageKind, { ids, sourceIds, knownIds, ...search }: LineageSearch) {
  return { kind: kindMessages[kind], ...search, ids: [...ids], sourceIds: [...sourceIds], knownIds: [...knownIds] };
}

function matched(matches: MatchesMessage | undefined): LineageMatches<Thing> {
  return matches ? matchesOf(matches) : none;
}

/** Versions of models with the names of these. */
async function named(
  { models }: Pick<HopDependencies, "models">,
  organisationId: string,
  matches: Promise<LineageMatches<Thing>>,
): Promise<LineageMatches<Thing>> {
  const { things, total } = await matches;
  const ids = new Set(things.flatMap(({ parentId }) => parentId ?? []));
  const names = await models.names(organisationId, [...ids]);
  return { things: things.map((thing) => ({ ...thing, name: names.get(thing.parentId ?? "") })), total };
}

/** Deployments by the versions that serve, are to serve, or are a canary. */
async function deploymentHop(
  { deployments, deploymentVersions }: HopDependencies,
  search: LineageSearch,
): Promise<LineageMatches<Thing>> {
  const { organisationId } = search;
  const serving = await deploymentVersions.idsOfModelVersions(organisationId, search.sourceIds);
  const { things, total } = await deployments.lineage({ ...search, sourceIds: serving });
  const versions = await deploymentVersions.modelVersionsOf(organisationId, things.flatMap(servedVersions));
  const thingOf = (deployment: DeploymentDocument): Thing => {
    const sources = servedVersions(deployment).flatMap((id) => versions.get(id) ?? []);
    const { _id: id, name, status: state } = deployment;
    return { kind: "deployment", id, name, state, sources: refsTo("model_version", sources) };
  };
  return { things: things.map(thingOf), total };
}

function servedVersions({ current_version_id: current, rollout, canary }: DeploymentDocument): string[] {
  return [current, rollout.versionId, canary?.versionId].flatMap((id) => id ?? []);
}
