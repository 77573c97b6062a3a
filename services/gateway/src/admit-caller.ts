import type { IncomingMessage, ServerResponse } from "node:http";
import { accessRule, credentialHeaders } from "@aiplatform/caller-identity";
import { requestIdHeader } from "@aiplatform/service-host";
import type { CallContext, Operation } from "@aiplatform/transcoder";
import type { Admission, RateBudget } from "./admission.ts";
import type { Door } from "./door.ts";
import type { RequestObservation } from "./request-observation.ts";

export interface Gate {
  readonly door: Door;
  readonly admission: Admission;
  readonly observation: RequestObservation;
  /** Tells the caller what is left of the organisation's rate. */
  readonly tellBudget: (response: Pick<ServerResponse, "setHeader">, budget: RateBudget) => void;
  /** Aborts when the gateway drains: streams end then, and their clients come back elsewhere. */
  readonly draining: AbortSignal;
}

interface Arrival {
  readonly operation: Operation;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly response: Pick<ServerResponse, "setHeader">;
}

/**
 * What a request passes before its body is read: credential, the organisation's budget, permission. A request to an
 * operation that asks nobody who they are passes the budget of its source instead.
 * @throws ConnectError for the first that refuses it
 */
export async function admitCaller(gate: Gate, arrival: Arrival): Promise<CallContext> {
  const { operation, request, requestId } = arrival;
  const isPublic = accessRule(operation.method).kind === "public";
  const { headers, done, organisationId } = isPublic
    ? await admitAnybody(gate, arrival)
    : await admitKnown(gate, arrival);
  headers.set(requestIdHeader, requestId);
  const known = organisationId === undefined ? {} : { organisationId };
  gate.observation.operation(request, { path: operation.path, streams: operation.streams, ...known });
  return { headers, done, ...(operation.streams ? { signal: gate.draining } : {}) };
}

interface Admitted {
  readonly headers: Headers;
  readonly done: () => void;
  /** Absent for somebody who is not known. */
  readonly organisationId?: string;
}

/** A credential that comes along all the same goes no further: nobody would look at it. */
async function admitAnybody({ door, admission }: Gate, { request }: Arrival): Promise<Admitted> {
  return { headers: new Headers(), done: await admission.enterAnonymous(door.sourceOf(request).network) };
}

async function admitKnown(
  { door, admission, tellBudget }: Gate,
  { operation, response, ...arrival }: Arrival,
): Promise<Admitted> {
  const visit = { ...arrival, method: operation.method, takesApiKey: takesApiKey(operation) };
  const caller = await door.identify(visit);
  const leave = await admission.enter(caller.organisationId, (budget) => tellBudget(response, budget));
  try {
    door.allow(visit, caller);
  } catch (refused) {
    leave();
    throw refused;
  }
  return { headers: credentialHeaders(caller), done: leave, organisationId: caller.organisationId };
}

function takesApiKey({ route }: Operation): boolean {
  return route.headers.some(({ name }) => name.toLowerCase() === "api-key");
}
