import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { InstrumentOf } from "@aiplatform/telemetry";
import { ConnectError } from "@connectrpc/connect";
import { admissionMetrics } from "./metrics.ts";

const { reason: reasons } = admissionMetrics.rate_limited_total.labels;

/** Counts the refusals that are rate limits, by their reason. */
export function rateLimitCounter(
  rate_limited_total: InstrumentOf<typeof admissionMetrics.rate_limited_total>,
): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ConnectError)) return;
    const [info] = error.findDetails(ErrorInfoSchema);
    const reason = reasons.find((known) => known === info?.reason);
    if (reason) rate_limited_total.add(1, { reason });
  };
}
