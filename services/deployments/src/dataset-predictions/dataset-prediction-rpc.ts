import { DatasetPredictionService } from "@aiplatform/contract/aiplatform/deployments/v1/dataset_predictions";
import { waitWithin } from "@aiplatform/service-host";
import type { ConnectRouter } from "@connectrpc/connect";
import { refOf } from "../deployments/deployment-message.ts";
import { type DatasetPredictionDependencies, predictForDataset } from "./predict-for-dataset.ts";

/** Longest wait for an instance to be started, ms; less when the caller has less time. */
const maxWaitMs = 10_000;

/** Predictions of which the data service makes embeddings. */
export function datasetPredictionRoutes(router: ConnectRouter, dependencies: DatasetPredictionDependencies): void {
  router.service(DatasetPredictionService, {
    async describeDatasetPredictor(request, context) {
      return { deploymentId: (await dependencies.deployments.get(refOf(request, context))).id };
    },
    async predictForDataset({ organisationId, deploymentId, deploymentVersionId: versionId, body }, context) {
      const wait = { timeoutMs: waitWithin(context, maxWaitMs), signal: context.signal };
      const answer = await predictForDataset(dependencies, { organisationId, deploymentId }, { versionId, body }, wait);
      return { deploymentVersionId: answer.versionId, body: answer.body };
    },
  });
}
