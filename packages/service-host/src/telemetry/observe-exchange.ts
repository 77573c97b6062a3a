import type { CredentialExchange } from "@aiplatform/caller-identity";
import { createInstruments } from "@aiplatform/telemetry";
import type { Meter } from "@opentelemetry/api";
import { callingMetrics } from "./host-metrics.ts";

/** Shows whether credentials can be exchanged at identity. */
export function observeExchange(meter: Meter, exchange: Pick<CredentialExchange, "isRefusing">): void {
  const { identity_circuit_open } = callingMetrics;
  const instruments = createInstruments(meter, { identity_circuit_open });
  instruments.identity_circuit_open.observe((report) => report(exchange.isRefusing ? 1 : 0));
}
