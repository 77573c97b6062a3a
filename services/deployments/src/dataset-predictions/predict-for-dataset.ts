import type { DeploymentRef } from "../deployments/deployment.ts";
import {
  type PredictionDependencies,
  type PredictionRoute,
  resolvePredictionRoute,
  type WaitOptions,
} from "../predictions/resolve-prediction-route.ts";
import { type InstanceAnswer, type InstanceClient, InstanceSilentError } from "./instance-client.ts";

export interface DatasetPredictionDependencies extends PredictionDependencies {
  instances: Pick<InstanceClient, "infer">;
}

/** What is asked of which version. */
export interface WantedPrediction {
  /** Empty: the one that gets most predictions. */
  versionId: string;
  body: Uint8Array;
}

/** The version that has to answer does not serve any longer. */
export class DeploymentVersionGoneError extends Error {
  override name = "DeploymentVersionGoneError";
  constructor() {
    super(
      "The deployment serves another version than the one that made the vectors, so their vectors cannot be compared",
    );
  }
}

/** The model does not take the request. The same request is refused again. */
export class PredictionRefusedError extends Error {
  override name = "PredictionRefusedError";
}

/** The model failed. */
export class PredictionFailedError extends Error {
  override name = "PredictionFailedError";
}

type Target = PredictionRoute["targets"][number];

/** Statuses that say nothing of the request: the instance is another's by now, full, or its handler is being replaced. */
const passing: ReadonlySet<number> = new Set([401, 408, 429, 503]);
/** Characters of what an instance says of a failure. */
const maxWords = 500;

/**
 * One prediction of the version.
 */
export async function predictForDataset(
  dependencies: DatasetPredictionDependencies,
  ref: DeploymentRef,
  { versionId, body }: WantedPrediction,
  wait: WaitOptions,
): Promise<{ versionId: string; body: Uint8Array }> {
  const route = await resolvePredictionRoute(dependencies, ref, wait);
  const target = targetOf(route, versionId);
  const signal = AbortSignal.any([wait.signal, AbortSignal.timeout(route.timeoutMs)]);
  const answer = await infer(dependencies, target, body, signal);
  if (answer.status === 200) return { versionId: target.version.id, body: answer.body };
  if (passing.has(answer.status)) throw new InstanceSilentError("No instance takes the prediction at the moment");
  const said = wordsOf(answer);
  if (answer.status >= 400 && answer.status < 500) {
    throw new PredictionRefusedError(`The model does not take the request: ${said}`);
  }
  throw new PredictionFailedError(`The model answered ${answer.status}: ${said}`);
}

/** @throws DeploymentVersionGoneError */
function targetOf({ targets }: PredictionRoute, versionId: string): Target {
  const fitting = targets.filter(({ weight, version }) => (versionId === "" ? weight > 0 : version.id === versionId));
  const [heaviest] = fitting.toSorted((one, other) => other.weight - one.weight);
  if (!heaviest) throw new DeploymentVersionGoneError();
  return heaviest;
}

async function infer(
  { instances }: Pick<DatasetPredictionDependencies, "instances">,
  { url, version: { token, modelName } }: Target,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<InstanceAnswer> {
  try {
    return await instances.infer({ url, token, modelName }, body, signal);
  } catch (error) {
    if (signal.aborted) throw new PredictionFailedError("The prediction took too long", { cause: error });
    throw error;
  }
}

/** What an instance says in its answer, as one line. */
function wordsOf({ body }: InstanceAnswer): string {
  const text = Buffer.from(body)
    .toString("utf8")
    .slice(0, maxWords * 2);
  const said = errorIn(text) ?? text;
  return said.replaceAll(/\s/g, " ").slice(0, maxWords);
}

function errorIn(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== "object" || answer === null || !("error" in answer)) return undefined;
    return typeof answer.error === "string" ? answer.error : undefined;
  } catch {
    return undefined;
  }
}
