import { SettingsError } from "@aiplatform/service-host";
import {
  type Given,
  integerIn,
  nameIn,
  type OpenTo,
  organisationsIn,
  readEntries,
  secretEntries,
  textsIn,
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
  return readEntries(value, { fields, most: maxEndpoints, what: "endpoints" }, (given, where) => ({
    name: nameIn(given, where),
    url: urlIn(given, where),
    models: textsIn(given, "models", { where, most: maxModels }),
    organisations: organisationsIn(given, where),
    dimensions: given.has("dimensions") ? integerIn(given, "dimensions", { where, max: maxDimensions }) : undefined,
    maxBatch: given.has("max_batch") ? integerIn(given, "max_batch", { where, max: maxBatchRows }) : defaultBatchRows,
  }));
}

function urlIn(given: Given, where: string): string {
  const text = given.get("url");
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isHttp || url.username + url.password + url.search + url.hash !== "") {
    throw new Error(`${where}: url must be an https or http URL without credentials, such as https://host.example/v1`);
  }
  return url.href.replace(/\/$/, "");
}

/** The endpoints with their keys. @throws SettingsError with every mistake in the keys, without a key */
export function keyedEndpoints(endpoints: readonly EmbeddingEndpoint[], keysText: string | undefined): KeyedEndpoint[] {
  const keys = keysIn(keysText);
  const names = new Set(endpoints.map(({ name }) => name));
  const mistakes = [...keys.keys()]
    .filter((name) => !names.has(name))
    .map((name) => `EMBEDDING_ENDPOINT_KEYS names ${name}, which is no endpoint of EMBEDDING_ENDPOINTS`);
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return endpoints.map((endpoint) => ({ ...endpoint, key: keys.get(endpoint.name) }));
}

/** @throws SettingsError */
function keysIn(text: string | undefined): ReadonlyMap<string, string> {
  if (text === undefined) return new Map();
  const entries = secretEntries(text);
  const keys = entries.flatMap(([name, key]): [string, string][] =>
    typeof key === "string" && /^[\x21-\x7e]+$/.test(key) ? [[name, key]] : [],
  );
  if (entries.length > 0 && keys.length === entries.length) return new Map(keys);
  throw new SettingsError(["EMBEDDING_ENDPOINT_KEYS must be a JSON object of keys by the names of endpoints"]);
}
