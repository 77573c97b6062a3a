import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { createInstruments } from "@aiplatform/telemetry";
import { ConnectError } from "@connectrpc/connect";
import type { Meter } from "@opentelemetry/api";
import type { Admission } from "./admission.ts";
import { edgeMetrics } from "./gateway-metrics.ts";
import type { GuessLimit } from "./guess-limit.ts";

/** The same two, whose postponements are counted by their reason. */
export function countPutOff(
  meter: Meter,
  { admission, guesses }: { admission: Admission; guesses: Pick<GuessLimit, "attempt"> },
): { admission: Admission; guesses: Pick<GuessLimit, "attempt"> } {
  const { rate_limited_total } = createInstruments(meter, { rate_limited_total: edgeMetrics.rate_limited_total });
  const counted = async <R>(attempt: Promise<R>): Promise<R> => {
    try {
      return await attempt;
    } catch (error) {
      const reason = error instanceof ConnectError ? reasonOf(error) : undefined;
      if (reason) rate_limited_total.add(1, { reason });
      throw error;
    }
  };
  return {
    admission: {
      enter: (organisationId, tell) => counted(admission.enter(organisationId, tell)),
      enterAnonymous: (source) => counted(admission.enterAnonymous(source)),
      countAnonymous: (source) => counted(admission.countAnonymous(source)),
    },
    guesses: { attempt: (source, attempt) => counted(guesses.attempt(source, attempt)) },
  };
}

type Reason = (typeof edgeMetrics.rate_limited_total.labels.reason)[number];

function reasonOf(error: ConnectError): Reason | undefined {
  const [info] = error.findDetails(ErrorInfoSchema);
  return edgeMetrics.rate_limited_total.labels.reason.find((reason) => reason === info?.reason);
}
