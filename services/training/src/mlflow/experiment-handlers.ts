import { callerOf } from "@aiplatform/caller-identity";
import type { MlflowService } from "@aiplatform/contract/aiplatform/training/v1/mlflow";
import { assertNone } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { annotationsViolations } from "../pipelines/annotations.ts";
import { type ArchivePipelineDependencies, archivePipeline, restorePipeline } from "../pipelines/archive-pipeline.ts";
import { renameExperiment, tagExperiment } from "./change-experiment.ts";
import { type CreateExperimentDependencies, createExperiment } from "./create-experiment.ts";
import { experimentNamed } from "./experiment.ts";
import { findExperiment } from "./find-experiment.ts";
import { withTexts } from "./flat-object.ts";
import { experimentMessage } from "./mlflow-message.ts";
import { experimentFields } from "./search-fields.ts";
import { listRequestOf, maxPageSize, viewOf } from "./search-runs.ts";

export type ExperimentDependencies = CreateExperimentDependencies & ArchivePipelineDependencies;

type ExperimentMethods =
  | "createMlflowExperiment"
  | "searchMlflowExperiments"
  | "getMlflowExperiment"
  | "getMlflowExperimentByName"
  | "updateMlflowExperiment"
  | "deleteMlflowExperiment"
  | "restoreMlflowExperiment"
  | "setMlflowExperimentTag";

/** The part of the service that is about experiments. */
export function experimentHandlers(
  dependencies: ExperimentDependencies,
): Pick<ServiceImpl<typeof MlflowService>, ExperimentMethods> {
  const { pipelines } = dependencies;
  return {
    async createMlflowExperiment({ name, tags }, context) {
      const annotations = withTexts("{}", new Map(tags.map(({ key, value }) => [key, value])));
      assertNone(annotationsViolations({ text: annotations }).map((violation) => ({ ...violation, field: "tags" })));
      const { id } = await createExperiment(dependencies, callerOf(context).organisationId, { name, annotations });
      return { experimentId: id };
    },
    async searchMlflowExperiments({ maxResults = maxPageSize, viewType, ...query }, context) {
      const request = listRequestOf({ ...query, maxResults, viewType: viewOf(viewType) }, experimentFields);
      const { items, nextCursor } = await pipelines.list(callerOf(context).organisationId, request);
      return { experiments: items.map(experimentMessage), nextPageToken: nextCursor };
    },
    async getMlflowExperiment({ experimentId }, context) {
      const { organisationId } = callerOf(context);
      const found = await findExperiment(pipelines, organisationId, experimentNamed(experimentId));
      return { experiment: experimentMessage(found) };
    },
    async getMlflowExperimentByName({ experimentName: name }, context) {
      const found = await findExperiment(pipelines, callerOf(context).organisationId, { name });
      return { experiment: experimentMessage(found) };
    },
    async updateMlflowExperiment({ experimentId, newName }, context) {
      const { organisationId } = callerOf(context);
      await renameExperiment(dependencies, organisationId, experimentNamed(experimentId), newName);
      return {};
    },
    async deleteMlflowExperiment({ experimentId }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await findExperiment(pipelines, organisationId, experimentNamed(experimentId));
      await archivePipeline(dependencies, organisationId, id);
      return {};
    },
    async restoreMlflowExperiment({ experimentId }, context) {
      const { organisationId } = callerOf(context);
      const { id } = await findExperiment(pipelines, organisationId, experimentNamed(experimentId));
      await restorePipeline(dependencies, organisationId, id);
      return {};
    },
    async setMlflowExperimentTag({ experimentId, key, value }, context) {
      const { organisationId } = callerOf(context);
      await tagExperiment(dependencies, organisationId, experimentNamed(experimentId), { key, value });
      return {};
    },
  };
}
