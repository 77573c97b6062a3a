import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, PresentedCredential, SessionCookie } from "@aiplatform/caller-identity";
import { sessionCredential } from "../sessions/own-page.ts";
import type { AdmissionTarget, EntryPoint } from "./admission-control.ts";
import { type RefusalAnswer, spareConnection } from "./load-shedder.ts";
import { isCredentialShown, presentedCredential } from "./presented-credential.ts";
import type { RateLimitHeaderWriter } from "./rate-limit-headers.ts";
import type { EarlyShedReason, LimitPreview } from "./request-limiter.ts";

/** A request that was refused early. */
export interface RefusedEarly {
  /** Path as it is declared; empty where it was not looked at. */
  readonly path: string;
  /** Absent where the caller was not looked up. */
  readonly organisationId?: string;
  readonly reason: RefusalReason;
  /** Why, where the reason is ours. */
  readonly shed?: EarlyShedReason | "event_loop";
}

export type RefusalReason = "RATE_LIMITED" | "OVERLOADED";

/** Refuses requests of callers that are remembered, before anything is done for them. */
export interface EarlyRefusal {
  /** Answers a request that admission would refuse. False when it may go on. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface EarlyRefusalOptions {
  readonly entryPoints: readonly Pick<EntryPoint, "targetOf">[];
  readonly preview: LimitPreview;
  /** The caller of a credential that was good when last seen. */
  readonly known: (credential: PresentedCredential) => Caller | undefined;
  /** In which browsers keep their session. Default: there are no sessions. */
  readonly sessionCookie?: SessionCookie | undefined;
  readonly answers: Readonly<Record<"rate" | EarlyShedReason, RefusalAnswer>>;
  readonly writeRateLimitHeaders: RateLimitHeaderWriter;
  /** Hears of every request that is refused, once its answer is written. */
  readonly refused: (request: IncomingMessage, refused: RefusedEarly) => void;
}

/**
 * Looks at what admission would say before the request is traced, logged and authenticated: under load most requests are refused,
 * and what each of them costs is taken from those that are served. It only refuses; everything else goes on to admission.
 */
export function createEarlyRefusal(options: EarlyRefusalOptions): EarlyRefusal {
  const { entryPoints, preview, answers, writeRateLimitHeaders, refused } = options;
  return {
    refuse(request, response) {
      if (!preview.isRefusing) return false;
      const target = targetOf(request, entryPoints);
      const caller = target && !target.isPublic ? callerOf(request, target, options) : undefined;
      if (!caller || !target) return false;
      const { organisationId } = caller;
      const why = preview.whyRefused(organisationId, target.demand);
      if (!why) return false;
      const reason = why === "rate" ? "RATE_LIMITED" : "OVERLOADED";
      writeRateLimitHeaders(response, preview.stateOf(organisationId));
      spareConnection(request, response);
      answers[why](request, response);
      refused(request, { path: target.path, organisationId, reason, ...(why === "rate" ? {} : { shed: why }) });
      return true;
    },
  };
}

function targetOf(
  request: IncomingMessage,
  entryPoints: EarlyRefusalOptions["entryPoints"],
): AdmissionTarget | undefined {
  for (const entryPoint of entryPoints) {
    const target = entryPoint.targetOf(request);
    if (target) return target;
  }
  return undefined;
}

function callerOf(
  { headers }: IncomingMessage,
  { takesApiKey, takesSession }: AdmissionTarget,
  { known, sessionCookie }: Pick<EarlyRefusalOptions, "known" | "sessionCookie">,
): Caller | undefined {
  if (!isCredentialShown(headers, takesApiKey)) {
    const shown = takesSession ? sessionCredential(headers, sessionCookie) : undefined;
    return shown && known(shown);
  }
  try {
    return known(presentedCredential(headers, takesApiKey));
  } catch {
    // Authentication says what is wrong with it.
    return undefined;
  }
}
