import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { InstrumentOf } from "@aiplatform/telemetry";
import { ConnectError } from "@connectrpc/connect";
import type { Admission } from "./admission.ts";
import { overloadMetrics } from "./gateway-metrics.ts";
import type { GuessLimit } from "./guess-limit.ts";

/** The same two, whose postponements are counted by their reason. */
export function countPutOff(
  rate_limited_total: InstrumentOf<typeof overloadMetrics.rate_limited_total>,
  { admission, guesses }: { admission: Admission; guesses: Pick<GuessLimit, "attempt"> },
): { admission: Admission; guesses: Pick<GuessLimit, "attempt"> } {
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
      enter: (organisationId, tell, call) => counted(admission.enter(organisationId, tell, call)),
      enterAnonymous: (source, call) => counted(admission.enterAnonymous(source, call)),
      countAnonymous: (source) => counted(admission.countAnonymous(source)),
    },
    guesses: { attempt: (source, attempt) => counted(guesses.attempt(source, attempt)) },
  };
}

type Reason = (typeof overloadMetrics.rate_limited_total.labels.reason)[number];

function reasonOf(error: ConnectError): Reason | undefined {
  const [info] = error.findDetails(ErrorInfoSchema);
  return overloadMetrics.rate_limited_total.labels.reason.find((reason) => reason === info?.reason);
}
