import { OverrideError } from "../learning/hyperparameters.ts";

/** What an evaluation is told by its job's configuration. */
export interface EvaluationPlan {
  /** `file:` URL of the ONNX file, as a training job left it. */
  artifactUri: string;
  /** Grey values are moved by a random amount up to this, 0 to 1. */
  noise: number;
  /** Pixels by which each image is moved to the right and down, -14 to 14. */
  shift: number;
  /** Test images that are looked at, from the first. */
  images: number;
  /** Where the randomness of the noise starts. */
  seed: number;
}

/** What `kind` says in the configuration of a job that evaluates. */
const evaluationKind = "evaluate";

const numbers = {
  noise: { initial: 0, minimum: 0, maximum: 1, integer: false },
  shift: { initial: 0, minimum: -14, maximum: 14, integer: true },
  images: { initial: 10_000, minimum: 1, maximum: 10_000, integer: true },
  seed: { initial: 1, minimum: 0, maximum: 4_294_967_295, integer: true },
} as const;

/** Whether a job's configuration asks for an evaluation. */
export function asksForEvaluation(configuration: object): boolean {
  return "kind" in configuration && configuration.kind === evaluationKind;
}

/** Reads the configuration; OverrideError names the first key that is invalid. */
export function evaluationPlan(configuration: object): EvaluationPlan {
  const { kind: _, artifact_uri: artifactUri, ...rest } = Object.fromEntries(Object.entries(configuration));
  if (typeof artifactUri !== "string" || !artifactUri.startsWith("file:")) {
    throw new OverrideError("artifact_uri", "must be the file: URL of an ONNX file");
  }
  const unknown = Object.keys(rest).find((key) => !Object.hasOwn(numbers, key));
  if (unknown !== undefined) throw new OverrideError(unknown, "is not a setting of an evaluation");
  const numberOf = (key: keyof typeof numbers) => readNumber(key, rest[key]);
  const [noise, shift, images, seed] = [numberOf("noise"), numberOf("shift"), numberOf("images"), numberOf("seed")];
  return { artifactUri, noise, shift, images, seed };
}

function readNumber(key: keyof typeof numbers, value: unknown): number {
  const { initial, minimum, maximum, integer } = numbers[key];
  if (value === undefined) return initial;
  if (typeof value !== "number" || (integer && !Number.isInteger(value))) {
    throw new OverrideError(key, integer ? "must be a whole number" : "must be a number");
  }
  if (!(value >= minimum && value <= maximum)) throw new OverrideError(key, `must be from ${minimum} to ${maximum}`);
  return value;
}
