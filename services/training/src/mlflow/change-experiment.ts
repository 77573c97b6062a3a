import { assertNone } from "@aiplatform/service-host";
import { annotationsViolations } from "../pipelines/annotations.ts";
import type { Pipeline } from "../pipelines/pipeline.ts";
import { type ChangePipelineDependencies, updatePipeline } from "../pipelines/update-pipeline.ts";
import { ExperimentExistsError, type ExperimentName } from "./experiment.ts";
import { findExperiment } from "./find-experiment.ts";
import { withTexts } from "./flat-object.ts";

/** @throws PipelineNotFoundError, ExperimentNotFoundError, ExperimentExistsError */
export async function renameExperiment(
  dependencies: ChangePipelineDependencies,
  organisationId: string,
  named: ExperimentName,
  name: string,
): Promise<Pipeline> {
  const { pipelines } = dependencies;
  const { id: pipelineId } = await findExperiment(pipelines, organisationId, named);
  const other = await pipelines.findNamed(organisationId, name);
  if (other && other.id !== pipelineId) throw new ExperimentExistsError(other);
  return updatePipeline(dependencies, organisationId, { pipelineId, name });
}

/** Sets an annotation, beside those that there are. @throws PipelineNotFoundError, ExperimentNotFoundError, InvalidFieldsError */
export async function tagExperiment(
  dependencies: ChangePipelineDependencies,
  organisationId: string,
  named: ExperimentName,
  tag: { key: string; value: string },
): Promise<Pipeline> {
  const { id: pipelineId } = await findExperiment(dependencies.pipelines, organisationId, named);
  return updatePipeline(dependencies, organisationId, {
    pipelineId,
    annotations: (known) => {
      const text = withTexts(known, new Map([[tag.key, tag.value]]));
      const [violation] = annotationsViolations({ text });
      assertNone(violation ? [{ ...violation, field: "value" }] : []);
      return text;
    },
  });
}
