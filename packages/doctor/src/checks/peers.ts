import { type Check, either, type Finding, failed, fine, type Look, reasonOf, shared } from "../check.ts";
import type { Service } from "../services.ts";
import { grpcHealth } from "./grpc-health.ts";

/** The services that a service calls: over gRPC, and at the gateway's URLs. */
export const peers: Check = {
  name: "peers",
  looks: (services) => [...grpcLooks(services), ...httpLooks(services)],
};

function grpcLooks(services: readonly Service[]): Look[] {
  const targets = services.flatMap((service) =>
    addressesOf(service).map(([setting, address]) => ({
      of: service.name,
      key: `${setting} ${address} ${service.config.TLS_CERT_FILE}`,
      value: { setting, address, config: service.config },
    })),
  );
  return shared(targets).map(({ of, value: { setting, address, config } }) => ({
    of,
    remedy: `${setting} names the replicas as host:port, separated by commas; start them, and let nothing stand between`,
    run: async () => [await health(setting, address, config)],
  }));
}

async function health(setting: string, address: string, config: Service["config"]): Promise<Finding> {
  const state = await grpcHealth(address, config);
  const says = `${setting} ${address} is ${state}`;
  return either(state === "serving", says, failed(says, "its /readyz (ADMIN_PORT) names what it waits for"));
}

/** Every setting of gRPC addresses, with each of its addresses. */
function addressesOf({ kind, config }: Service): [string, string][] {
  const identity = { IDENTITY_ADDRESS: kind === "identity" ? [] : config.IDENTITY_ADDRESS };
  const more =
    kind === "gateway"
      ? {
          TRAINING_ADDRESS: config.TRAINING_ADDRESS,
          CONTENT_ADDRESS: config.CONTENT_ADDRESS,
          DEPLOYMENTS_ADDRESS: config.DEPLOYMENTS_ADDRESS,
        }
      : kind === "content"
        ? { TRAINING_ADDRESS: config.TRAINING_ADDRESS, DEPLOYMENTS_ADDRESS: config.DEPLOYMENTS_ADDRESS }
        : {};
  return Object.entries({ ...identity, ...more }).flatMap(([setting, addresses]) =>
    addresses.map((address): [string, string] => [setting, address]),
  );
}

function httpLooks(services: readonly Service[]): Look[] {
  return services.flatMap((service) =>
    urlsOf(service).map(([setting, url]) => ({
      of: [service.name],
      remedy: `${setting} is the URL at which the service answers over HTTP`,
      run: async (signal: AbortSignal) => [await answers(setting, url, signal)],
    })),
  );
}

function urlsOf({ kind, config }: Service): [string, string][] {
  const urls: Record<string, string | undefined> =
    kind === "gateway"
      ? {
          IDENTITY_HTTP_URL: config.IDENTITY_HTTP_URL,
          TRAINING_HTTP_URL: config.TRAINING_HTTP_URL,
          CONTENT_HTTP_URL: config.CONTENT_HTTP_URL,
          DEPLOYMENTS_HTTP_URL: config.DEPLOYMENTS_HTTP_URL,
          JUPYTERHUB_URL: config.JUPYTERHUB_URL,
        }
      : kind === "identity"
        ? { JUPYTERHUB_URL: config.JUPYTERHUB_URL }
        : kind === "content"
          ? { PROMPT_API_URL: config.PROMPT_API_URL }
          : {};
  // With TLS of the mesh a caller without its certificate hears nothing: gRPC, which has it, tells whether the service is there.
  return Object.entries(urls).flatMap(([setting, url]): [string, string][] =>
    url === undefined || (setting.endsWith("_HTTP_URL") && url.startsWith("https:")) ? [] : [[setting, url]],
  );
}

/** Any answer will do: it is there. */
async function answers(setting: string, url: string, signal: AbortSignal): Promise<Finding> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(url, { signal, redirect: "manual" });
    await response.body?.cancel();
    return response.status < 500
      ? fine(`${setting} ${origin} answers`)
      : failed(`${setting} ${origin} answers ${response.status}`, `look at what runs there, or mend ${setting}`);
  } catch (error) {
    return failed(
      `${setting} ${origin} does not answer: ${reasonOf(error)}`,
      `start what ${setting} names, or mend it`,
    );
  }
}
