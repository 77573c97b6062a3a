import { type Check, either, type Finding, failed, reasonOf } from "@aiplatform/doctor";
import { createGuardedFetch, type GuardedFetch } from "@aiplatform/guarded-fetch";
import { type EmbeddingEndpoint, type KeyedEndpoint, keyedEndpoints } from "./endpoint-settings.ts";

/** What of the settings is looked at. */
export interface EndpointCheckConfig {
  readonly EMBEDDING_ENDPOINTS: readonly EmbeddingEndpoint[];
  readonly EMBEDDING_ENDPOINT_KEYS: string | undefined;
  readonly EMBEDDING_ALLOWED_NETWORKS: readonly string[];
}

const timeoutMs = 5_000;
/** Of a list of models. */
const maxBytes = 4 * 1_048_576;
const keyRefusals = new Set([401, 403]);

/** Each endpoint is asked for its models, which costs nothing, as the service asks it for vectors: with its key, and at allowed addresses only. */
export function embeddingEndpoints(config: EndpointCheckConfig): Check[] {
  const endpoints = keyedEndpoints(config.EMBEDDING_ENDPOINTS, config.EMBEDDING_ENDPOINT_KEYS);
  return endpoints.map((endpoint) => ({
    name: "embedding endpoints",
    remedy: "correct the endpoint in EMBEDDING_ENDPOINTS, or its key in EMBEDDING_ENDPOINT_KEYS",
    run: async (signal) => {
      const bounds = { timeoutMs, maxBytes, allowHttp: true };
      await using guardedFetch = createGuardedFetch({ allowedNetworks: config.EMBEDDING_ALLOWED_NETWORKS, ...bounds });
      return [await lookAt(endpoint, guardedFetch, signal)];
    },
  }));
}

async function lookAt({ name, url, key }: KeyedEndpoint, ask: GuardedFetch, signal: AbortSignal): Promise<Finding> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const { host } = new URL(url);
  try {
    const { status } = await ask(`${url}/models`, { headers, signal });
    if (keyRefusals.has(status)) {
      const says = `the endpoint ${name} at ${host} answers ${status}: it does not take the key`;
      return failed(says, "correct its key in EMBEDDING_ENDPOINT_KEYS");
    }
    const remedy = "look at what runs there, or correct its url in EMBEDDING_ENDPOINTS";
    return either(
      status < 500,
      `the endpoint ${name} at ${host} answers`,
      failed(`the endpoint ${name} at ${host} answers ${status}`, remedy),
    );
  } catch (error) {
    const remedy =
      "let the service reach it: correct its url, open its address in EMBEDDING_ALLOWED_NETWORKS where it is not public, and look at firewalls and network policies";
    return failed(`the endpoint ${name} at ${host} cannot be asked: ${reasonOf(error)}`, remedy);
  }
}
