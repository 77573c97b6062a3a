import { type Check, type Finding, failed, fine, reasonOf, shared } from "../check.ts";

/** The collector of traces. It is sent nothing. */
export const telemetry: Check = {
  name: "telemetry",
  looks: (services) =>
    shared(
      services.flatMap(({ name, config: { OTEL_EXPORTER_OTLP_ENDPOINT: url } }) =>
        url === undefined ? [] : [{ of: name, key: url, value: url }],
      ),
    ).map(({ of, value }) => ({ of, remedy, run: async (signal) => [await look(value, signal)] })),
};

const remedy =
  "OTEL_EXPORTER_OTLP_ENDPOINT is the collector's OTLP over HTTP, usually port 4318; without it no traces are made";

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
