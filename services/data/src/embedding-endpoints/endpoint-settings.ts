import { SettingsError } from "@aiplatform/service-host";

/** A service outside of the platform that makes vectors of texts, by OpenAI's protocol for embeddings. */
export interface EmbeddingEndpoint {
  /** By which recipes name it. */
  readonly name: string;
  /** URL above `/embeddings`. */
  readonly url: string;
  /** Models that may be asked for. */
  readonly models: readonly string[];
  /** Ids of the organisations that may send to it. */
  readonly organisations: "all" | ReadonlySet<string>;
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

type Given = ReadonlyMap<string, unknown>;

const fields = new Set(["name", "url", "models", "organisations", "dimensions", "max_batch"]);
const namePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const maxEndpoints = 20;
const maxModels = 50;
const maxOrganisations = 10_000;
const maxDimensions = 4_096;
const [defaultBatch, largestBatch] = [64, 100];

/** Reads the endpoints of a setting. @throws Error whose message is one sentence about the first mistake */
export function readEndpoints(value: unknown): EmbeddingEndpoint[] {
  if (!Array.isArray(value) || value.length > maxEndpoints) {
    throw new Error(`must be a JSON list of ${maxEndpoints} endpoints at most`);
  }
  const endpoints = value.map((entry: unknown, index) => readEndpoint(entry, `entry ${index}`));
  if (new Set(endpoints.map(({ name }) => name)).size < endpoints.length) throw new Error("names an endpoint twice");
  return endpoints;
}

function readEndpoint(entry: unknown, where: string): EmbeddingEndpoint {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    throw new Error(`${where} must be an object`);
  }
  const given: Given = new Map<string, unknown>(Object.entries(entry));
  for (const field of given.keys()) if (!fields.has(field)) throw new Error(`${where} has an unknown field ${field}`);
  return {
    name: nameIn(given, where),
    url: urlIn(given, where),
    models: textsIn(given, "models", { where, most: maxModels }),
    organisations: organisationsIn(given, where),
    dimensions: given.has("dimensions") ? integerIn(given, "dimensions", { where, max: maxDimensions }) : undefined,
    maxBatch: given.has("max_batch") ? integerIn(given, "max_batch", { where, max: largestBatch }) : defaultBatch,
  };
}

function nameIn(given: Given, where: string): string {
  const name = given.get("name");
  if (typeof name === "string" && namePattern.test(name)) return name;
  throw new Error(`${where}: name must be 1 to 63 letters from a to z, digits and hyphens`);
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

/** All or some of them have to be named, so that none is open to all by mistake. */
function organisationsIn(given: Given, where: string): EmbeddingEndpoint["organisations"] {
  if (given.get("organisations") === "all") return "all";
  const ids = textsIn(given, "organisations", { where, most: maxOrganisations });
  const bad = ids.find((id) => !idPattern.test(id));
  if (bad === undefined) return new Set(ids);
  throw new Error(`${where}: organisations must be "all" or a list of ids of organisations; ${bad} is not one`);
}

function textsIn(given: Given, field: string, { where, most }: { where: string; most: number }): string[] {
  const value = given.get(field);
  const texts = Array.isArray(value)
    ? value.filter((each): each is string => typeof each === "string" && each !== "")
    : [];
  const isWhole = Array.isArray(value) && texts.length === value.length && texts.length > 0 && texts.length <= most;
  if (isWhole && new Set(texts).size === texts.length) return texts;
  throw new Error(`${where}: ${field} must be a list of 1 to ${most} different texts that are not empty`);
}

function integerIn(given: Given, field: string, { where, max }: { where: string; max: number }): number {
  const value = given.get(field);
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`${where}: ${field} must be a whole number from 1 to ${max}`);
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
  const entries = entriesOf(text);
  const keys = entries.flatMap(([name, key]): [string, string][] =>
    typeof key === "string" && /^[\x21-\x7e]+$/.test(key) ? [[name, key]] : [],
  );
  if (entries.length > 0 && keys.length === entries.length) return new Map(keys);
  throw new SettingsError(["EMBEDDING_ENDPOINT_KEYS must be a JSON object of keys by the names of endpoints"]);
}

function entriesOf(text: string): [string, unknown][] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  } catch {
    // The parser's own words quote the text, and this text holds secrets.
    return [];
  }
}
