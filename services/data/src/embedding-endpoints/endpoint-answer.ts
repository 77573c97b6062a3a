import { memberAt, parsedJson } from "@aiplatform/openai-api";
import { EndpointAnswerError } from "./endpoint-errors.ts";

/** The vectors that an endpoint has answered. */
export interface EndpointVectors {
  readonly dimensions: number;
  /** In the order of the texts. */
  readonly vectors: readonly Float32Array[];
}

/** What an answer has to fit. */
interface Expected {
  /** Name of the endpoint. */
  endpoint: string;
  /** Number of texts that were sent. */
  count: number;
  /** Numbers that each vector has to have. Undefined: as many as the first one, up to `maxDimensions`. */
  dimensions: number | undefined;
  maxDimensions: number;
}

/** Reads the answer of an endpoint, whose vectors may come in any order. @throws EndpointAnswerError */
export function vectorsIn(body: string, { endpoint, count, ...bounds }: Expected): EndpointVectors {
  const unfit = (what: string) => new EndpointAnswerError(endpoint, what);
  const data = memberAt(parsedJson(body), "data");
  if (!Array.isArray(data)) throw unfit("did not answer a list of embeddings");
  if (data.length !== count) throw unfit(`answered ${data.length} vectors to ${count} texts`);
  const vectors = new Map<unknown, Float32Array>();
  for (const each of data) {
    const vector = numbersOf(memberAt(each, "embedding"));
    if (!vector) throw unfit("answered a vector that is no list of numbers of 32 bits");
    vectors.set(memberAt(each, "index"), vector);
  }
  const ordered = Array.from({ length: count }, (_, index) => vectors.get(index) ?? new Float32Array());
  const missing = ordered.findIndex((_, index) => !vectors.has(index));
  if (missing >= 0) throw unfit(`answered no vector with the index ${missing}`);
  const { dimensions = ordered[0]?.length ?? 0, maxDimensions } = bounds;
  const other = ordered.find(({ length }) => length !== dimensions);
  if (other) throw unfit(`answered a vector of ${other.length} numbers where ${dimensions} are expected`);
  if (dimensions < 1 || dimensions > maxDimensions) {
    throw unfit(`answered vectors of ${dimensions} numbers: 1 to ${maxDimensions} are taken`);
  }
  return { dimensions, vectors: ordered };
}

/** Undefined: not all are numbers that 32 bits hold. */
function numbersOf(value: unknown): Float32Array | undefined {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "number")) return undefined;
  const vector = Float32Array.from(value);
  return vector.every(Number.isFinite) ? vector : undefined;
}
