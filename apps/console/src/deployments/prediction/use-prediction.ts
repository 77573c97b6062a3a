import { PlatformError, repeatingFetch } from "@aiplatform/client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { apiUrl, type Deployment } from "../../api/platform.ts";
import { type ModelMetadata, readMetadata } from "./model-metadata.ts";

/** Predictions are the Open Inference Protocol's, which the description of the API leaves to it. */
const request = repeatingFetch({ limit: 0, timeoutMs: 60_000 });

const pathOf = ({ id, service_name }: Deployment) => `${apiUrl}/platform/deployments/${id}/v2/models/${service_name}`;

/** What a model takes and answers; null for one that takes any JSON. Only asked for while instances run. */
export function useModelMetadata(deployment: Deployment) {
  return useQuery({
    queryKey: ["model-metadata", deployment.id, deployment.current_deployment_version_id],
    enabled: deployment.status === "Running" || deployment.status === "Updating",
    queryFn: async ({ signal }): Promise<ModelMetadata | null> => {
      const response = await request(new Request(pathOf(deployment), { signal }));
      if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined));
      return readMetadata(await response.json());
    },
  });
}

/** What a deployment answered. */
export interface Prediction {
  answer: unknown;
  /** From the request to the whole answer, as the browser saw it, ms. */
  ms: number;
}

/** Asks a deployment for a prediction. */
export function usePrediction(deployment: Deployment) {
  return useMutation({
    mutationFn: async (body: unknown): Promise<Prediction> => {
      const started = performance.now();
      const response = await request(
        new Request(`${pathOf(deployment)}/infer`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
      const answer: unknown = await response.json();
      if (!response.ok) throw new PlatformError(response, withDetail(answer));
      return { answer, ms: performance.now() - started };
    },
  });
}

/** Instances say `error` where the platform says `detail`. */
function withDetail(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("error" in body)) return body;
  return { detail: body.error };
}
