import { randomUUID } from "node:crypto";
import { loadMnist } from "@aiplatform/mnist-trainer";
import { ask, type Json, type Reachable, until } from "../mesh/rest.ts";

/** What the journey needs: where the gateway is, who asks, and the model of a finished run of the MNIST example. */
export interface JourneyPlace extends Pick<Reachable, "gateway" | "bearer"> {
  readonly modelId: string;
  /** Seconds that a rollout may take. Default 60. */
  readonly timeoutSeconds?: number;
}

/** A real test image, and the digit that it shows. */
export interface TestImage {
  /** Grey values, 0 to 1, row by row. */
  readonly pixels: readonly number[];
  readonly label: number;
}

const pixelsOf = 784;

/** Images of the MNIST test set by their places. */
export async function testImages(places: readonly number[]): Promise<TestImage[]> {
  const { testImages: all, testLabels } = await loadMnist();
  return places.map((place) => ({
    pixels: Array.from(all.subarray(place * pixelsOf, (place + 1) * pixelsOf)),
    label: Number(testLabels[place]),
  }));
}

/** One request of the journey, as `curl` would send it. */
export async function request(place: JourneyPlace, path: string, body?: unknown, method?: string) {
  const reachable = { gateway: place.gateway, bearer: place.bearer, pipeline_id: "", run_id: "", job_name: "" };
  return await ask(reachable, { path, ...(body !== undefined && { body }), ...(method && { method }) });
}

/** Operation 6: the answer, which does not wait for anything. */
export async function deployModel(place: JourneyPlace): Promise<Json> {
  return (await request(place, "/deployments/", { model_id: place.modelId })).body;
}

/** Takes an image as rows of grey values from 0 to 255, as cameras and files have them, and asks the model. */
const handler: string = `
export default async ({ rows }, { models }) => {
  const data = rows.flat().map((grey) => grey / 255);
  const [probabilities] = await models.digits.infer([{ name: "images", datatype: "FP32", shape: [1, 784], data }]);
  return { digit: probabilities.data.indexOf(Math.max(...probabilities.data)) };
};
`;
const grey = { type: "number", minimum: 0, maximum: 255 };
const row = { type: "array", minItems: 28, maxItems: 28, items: grey };

/** Operation 3: a bundle with a handler of its own, which calls the same model. */
export async function deployHandler(place: JourneyPlace, o: { config?: object } = {}): Promise<Json> {
  const bundle = {
    schema_version: "serving.v1",
    name: "Digits in pictures",
    runtime: { type: "prebuilt", value: "node" },
    interface: {
      input: {
        type: "object",
        properties: { rows: { type: "array", minItems: 28, maxItems: 28, items: row } },
        required: ["rows"],
      },
      output: { type: "object", properties: { digit: { type: "integer", minimum: 0, maximum: 9 } } },
    },
    artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
  };
  const answer = await request(place, "/deployments/custom-serving/", {
    name: `Digits in pictures ${randomUUID()}`,
    serving_bundle: bundle,
    model_refs: [{ model_id: place.modelId, alias: "digits" }],
    artifacts: [{ name: "handler", content: handler, content_type: "text/javascript" }],
    ...(o.config && { serverless_run_config: o.config }),
  });
  return answer.body;
}

/** Waits until a deployment has the status; answers it. @throws Error naming what it was last */
export async function reachesStatus(place: JourneyPlace, deploymentId: string, status: string): Promise<Json> {
  return await until(
    `the deployment to be ${status}`,
    place.timeoutSeconds ?? 60,
    async () => (await request(place, `/platform/deployments/${deploymentId}`)).body,
    (seen) => seen?.status === status,
  );
}

/** The digit that a deployed model names; asks in the protocol's tensors. */
export async function digitOfModel(place: JourneyPlace, deployment: Json, { pixels }: TestImage): Promise<number> {
  const tensor = { name: "images", datatype: "FP32", shape: [1, pixelsOf], data: pixels };
  const { status, body } = await request(place, inferPath(deployment), { inputs: [tensor] });
  if (status !== 200) throw new Error(`the prediction was answered ${status} ${JSON.stringify(body)}`);
  const probabilities: number[] = body.outputs[0].data;
  return probabilities.indexOf(Math.max(...probabilities));
}

/** The digit that a deployed handler names; asks with the picture. */
export async function digitOfHandler(place: JourneyPlace, deployment: Json, image: TestImage): Promise<number> {
  const { status, body } = await request(place, inferPath(deployment), { input: { rows: rowsOf(image) } });
  if (status !== 200) throw new Error(`the prediction was answered ${status} ${JSON.stringify(body)}`);
  return body.output.digit;
}

export function rowsOf({ pixels }: TestImage): number[][] {
  const greys = pixels.map((value) => Math.round(value * 255));
  return Array.from({ length: 28 }, (_, at) => greys.slice(at * 28, at * 28 + 28));
}

/** Where a deployment's predictions are asked for. */
export function inferPath({ id, service_name }: Json): string {
  return `/platform/deployments/${id}/v2/models/${service_name}/infer`;
}
