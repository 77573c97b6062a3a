import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller, PresentedCredential } from "@aiplatform/caller-identity";
import type { Foresight, ShedReason } from "./admission.ts";
import type { Entrance } from "./admit-caller.ts";
import { spareConnection } from "./overload-guard.ts";
import { isCredentialShown, presentedCredential } from "./presented-credential.ts";
import { refusalAnswer } from "./refusal-answer.ts";
import type { RequestPurpose } from "./request-purpose.ts";
import { tryLater } from "./try-later.ts";

/** A request that was refused early. */
export interface RefusedEarly {
  /** Path as it is declared; empty where it was not looked at. */
  readonly path: string;
  /** Absent where the caller was not looked up. */
  readonly organisationId?: string;
  readonly reason: "RATE_LIMITED" | "OVERLOADED";
  /** Why, where the reason is ours. */
  readonly shed?: ShedReason | "event_loop";
}

/** Refuses requests of callers that are remembered, before anything is done for them. */
export interface EarlyRefusal {
  /** Answers a request that the entrance would refuse. False when it may go on. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
}

export interface EarlyRefusalParts {
  readonly foresight: Foresight;
  /** The caller of a credential that was good when last seen. */
  readonly known: (credential: PresentedCredential) => Caller | undefined;
  readonly purposeOf: (request: IncomingMessage) => RequestPurpose | undefined;
  readonly tellBudget: NonNullable<Entrance["tellBudget"]>;
  /** Hears of every request that is refused, once its answer is written. */
  readonly refused: (request: IncomingMessage, refused: RefusedEarly) => void;
}

const answers = {
  RATE_LIMITED: refusalAnswer(tryLater("RATE_LIMITED")),
  OVERLOADED: refusalAnswer(tryLater("OVERLOADED")),
} as const;

/**
 * Looks at what the entrance would say before the request is traced, logged and identified: under load most requests are refused,
 * and what each of them costs is taken from those that are served. It only refuses; everything else goes on to the entrance.
 */
export function createEarlyRefusal(parts: EarlyRefusalParts): EarlyRefusal {
  const { foresight, known, purposeOf, tellBudget, refused } = parts;
  return {
    refuse(request, response) {
      if (!foresight.isRefusing) return false;
      const purpose = purposeOf(request);
      const caller = purpose && callerOf(request, purpose, known);
      if (!caller) return false;
      const { organisationId } = caller;
      const why = foresight.foresee(organisationId, purpose.owner);
      if (!why) return false;
      const reason = why === "rate" ? "RATE_LIMITED" : "OVERLOADED";
      tellBudget(response, foresight.budgetOf(organisationId));
      spareConnection(request, response);
      answers[reason](request, response);
      refused(request, { path: purpose.path, organisationId, reason, ...(why === "rate" ? {} : { shed: why }) });
      return true;
    },
  };
}

function callerOf(
  { headers }: IncomingMessage,
  { takesApiKey }: RequestPurpose,
  known: EarlyRefusalParts["known"],
): Caller | undefined {
  if (!isCredentialShown(headers, takesApiKey)) return undefined;
  try {
    return known(presentedCredential(headers, takesApiKey));
  } catch {
    // The entrance says what is wrong with it.
    return undefined;
  }
}
