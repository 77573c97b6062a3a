import type { Check } from "../check.ts";
import { type Finding, failed, fine, reasonOf } from "../finding.ts";

const remedy =
  "OTEL_EXPORTER_OTLP_ENDPOINT is the collector's OTLP over HTTP, usually port 4318; without it no traces are made";

/** The collector of traces, where there is one. It is sent nothing. */
export function telemetry(endpoint: string | undefined): Check[] {
  if (endpoint === undefined) return [];
  return [{ name: "telemetry", remedy, run: async (signal) => [await look(endpoint, signal)] }];
}

async function look(endpoint: string, signal: AbortSignal): Promise<Finding> {
  const { origin } = new URL(endpoint);
  try {
    // A collector takes only POST there: any answer shows that it is one that listens.
    const response = await fetch(`${endpoint.replace(/\/$/, "")}/v1/traces`, { signal, redirect: "manual" });
    await response.body?.cancel();
    if (response.status === 404) return failed(`${origin} has no /v1/traces`, remedy);
    return fine(`the collector at ${origin} answers`);
  } catch (error) {
    return failed(`the collector at ${origin} does not answer: ${reasonOf(error)}`, remedy);
  }
}
