import {
  integerIn,
  keysIn,
  nameIn,
  type OpenTo,
  organisationsIn,
  readEntries,
  textsIn,
  urlIn,
} from "../settings-entries.ts";

/** A service outside of the platform that makes vectors of texts, by OpenAI's protocol for embeddings. */
export interface EmbeddingEndpoint {
  /** By which recipes name it. */
  readonly name: string;
  /** URL above `/embeddings`. */
  readonly url: string;
  /** Models that may be asked for. */
  readonly models: readonly string[];
  /** Ids of the organisations that may send to it. */
  readonly organisations: OpenTo;
  /** Numbers that each vector has to have. Undefined: as many as the first one. */
  readonly dimensions: number | undefined;
  /** Rows that are sent at once. */
  readonly maxBatch: number;
}

/** An endpoint, and the platform's key there. */
export interface KeyedEndpoint extends EmbeddingEndpoint {
  /** Secret; sent as a bearer. Undefined: none is sent. */
  readonly key: string | undefined;
}

const fields = new Set(["name", "url", "models", "organisations", "dimensions", "max_batch"]);
const maxEndpoints = 20;
const maxModels = 50;
const maxDimensions = 4_096;
const [defaultBatchRows, maxBatchRows] = [64, 100];

/** Reads the endpoints of a setting. @throws Error whose message is one sentence about the first mistake */
export function readEndpoints(value: unknown): EmbeddingEndpoint[] {
  return readEntries(value, { fields, max: maxEndpoints, what: "endpoints" }, (given, where) => ({
    name: nameIn(given, where),
    url: urlIn(given, { where, such: "https://host.example/v1" }).href.replace(/\/$/, ""),
    models: textsIn(given, "models", { where, max: maxModels }),
    organisations: organisationsIn(given, where),
    dimensions: given.has("dimensions") ? integerIn(given, "dimensions", { where, max: maxDimensions }) : undefined,
    maxBatch: given.has("max_batch") ? integerIn(given, "max_batch", { where, max: maxBatchRows }) : defaultBatchRows,
  }));
}

/** The endpoints with their keys. @throws SettingsError with every mistake in the keys, without a key */
export function keyedEndpoints(endpoints: readonly EmbeddingEndpoint[], keysText: string | undefined): KeyedEndpoint[] {
  const keys = keysIn(keysText, endpoints, {
    ...{ setting: "EMBEDDING_ENDPOINT_KEYS", entriesSetting: "EMBEDDING_ENDPOINTS", what: "keys" },
    read: (value) => (typeof value === "string" && /^[\x21-\x7e]+$/.test(value) ? value : undefined),
  });
  return endpoints.map((endpoint) => ({ ...endpoint, key: keys.get(endpoint.name) }));
}
