import type { TlsConfig } from "@aiplatform/service-host";
import type { Check } from "../check.ts";
import { either, type Finding, failed, fine, reasonOf } from "../finding.ts";
import { grpcHealth } from "./grpc-health.ts";

/** What a service calls, by the names of its settings. */
export interface Peers {
  /** gRPC addresses, `host:port`. */
  addresses?: Readonly<Record<string, readonly string[]>>;
  urls?: Readonly<Record<string, string | undefined>>;
}

/** The services that a service calls: over gRPC, and at URLs. */
export function peers(config: TlsConfig, { addresses = {}, urls = {} }: Peers): Check[] {
  const grpc = Object.entries(addresses).flatMap(([setting, all]) =>
    all.map((address) => grpcCheck(setting, address, config)),
  );
  const http = Object.entries(urls).flatMap(([setting, url]) => {
    // With TLS of the mesh a caller without its certificate hears nothing: gRPC, which has it, tells whether the service is there.
    const isHidden = url === undefined || (setting.endsWith("_HTTP_URL") && url.startsWith("https:"));
    return isHidden ? [] : [httpCheck(setting, url)];
  });
  return [...grpc, ...http];
}

function grpcCheck(setting: string, address: string, config: TlsConfig): Check {
  return {
    name: "peers",
    remedy: `${setting} names the replicas as host:port, separated by commas; start them, and let nothing stand between`,
    async run() {
      const state = await grpcHealth(address, config);
      const says = `${setting} ${address} is ${state}`;
      return [either(state === "serving", says, failed(says, "its /readyz (ADMIN_PORT) names what it waits for"))];
    },
  };
}

function httpCheck(setting: string, url: string): Check {
  return {
    name: "peers",
    remedy: `${setting} is the URL at which the service answers over HTTP`,
    run: async (signal) => [await answers(setting, url, signal)],
  };
}

/** Any answer will do: it is there. */
async function answers(setting: string, url: string, signal: AbortSignal): Promise<Finding> {
  const { origin } = new URL(url);
  try {
    const response = await fetch(url, { signal, redirect: "manual" });
    await response.body?.cancel();
    return response.status < 500
      ? fine(`${setting} ${origin} answers`)
      : failed(`${setting} ${origin} answers ${response.status}`, `look at what runs there, or correct ${setting}`);
  } catch (error) {
    return failed(
      `${setting} ${origin} does not answer: ${reasonOf(error)}`,
      `start what ${setting} names, or correct it`,
    );
  }
}
