import type { IncomingMessage, ServerResponse } from "node:http";
import { accessRule, type Caller, credentialHeaders, sourceAddressHeader } from "@aiplatform/caller-identity";
import { requestIdHeader } from "@aiplatform/service-host";
import type { CallContext, Operation } from "@aiplatform/transcoder";
import type { DescMethod } from "@bufbuild/protobuf";
import type { Admission, Leave, PromptCall } from "./admission.ts";
import type { Door, Visit } from "./door.ts";
import { ownerOf } from "./owners.ts";
import type { RateBudget } from "./rate-buckets.ts";
import type { RequestObservation } from "./request-observation.ts";

/** An answer on which the budget is told. */
type Told = Pick<ServerResponse, "setHeader">;
/** The same, whose status says afterwards what became of the request. */
type Answered = Pick<ServerResponse, "setHeader" | "statusCode">;

/** What stands between a request and the work it asks for. */
export interface Entrance {
  readonly door: Pick<Door, "identify" | "allow">;
  readonly admission: Pick<Admission, "enter">;
  /** Tells the caller what is left of the organisation's rate. Default: not told. */
  readonly tellBudget?: (response: Told, budget: RateBudget) => void;
}

/** An entrance that also takes requests to RPCs that the contract declares public. */
export interface PublicEntrance extends Entrance {
  readonly door: Pick<Door, "identify" | "allow" | "sourceOf">;
  readonly admission: Pick<Admission, "enter" | "enterAnonymous">;
}

export interface Gate {
  readonly door: Door;
  readonly admission: Admission;
  readonly observation: RequestObservation;
  readonly tellBudget: NonNullable<Entrance["tellBudget"]>;
  /** Aborts when the gateway drains: streams end then, and their clients come back elsewhere. */
  readonly draining: AbortSignal;
}

/** A request that wants in, and what it wants. */
export interface Entering extends Visit {
  /** Where the budget is told. Default: nowhere. */
  readonly response?: Told;
  /** Absent for what lasts as long as its caller wants. */
  readonly call?: PromptCall | undefined;
}

/** A request that was let in. */
export interface Entry {
  /** Absent for a request to a public RPC. */
  readonly caller?: Caller;
  /** Gives its place back. More than one call does no harm. */
  readonly leave: Leave;
}

/**
 * What every request of a known caller passes before anything is done for it, whichever way it came: credential, the
 * organisation's rate and a place, permission.
 * @throws ConnectError for the first that refuses it
 */
export async function enterKnown(
  { door, admission, tellBudget }: Entrance,
  { response, call, ...visit }: Entering,
): Promise<Required<Entry>> {
  const caller = await door.identify(visit);
  const tell = (budget: RateBudget) => response && tellBudget?.(response, budget);
  const leave = once(await admission.enter(caller.organisationId, tell, call));
  try {
    const { method } = visit;
    if (method) door.allow({ ...visit, method }, caller);
    return { caller, leave };
  } catch (refused) {
    leave();
    throw refused;
  }
}

/**
 * The same, and for a public RPC the budget of the request's source instead.
 * @throws ConnectError for the first that refuses it
 */
export async function enter(entrance: PublicEntrance, entering: Entering): Promise<Entry> {
  const isPublic = entering.method !== undefined && accessRule(entering.method).kind === "public";
  if (!isPublic) return enterKnown(entrance, entering);
  const { network } = entrance.door.sourceOf(entering.request);
  return { leave: once(await entrance.admission.enterAnonymous(network, entering.call)) };
}

interface Arrival {
  readonly operation: Operation;
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly response: Answered;
}

/**
 * Lets a request to an operation in before its body is read. A credential sent to a public operation goes no further:
 * no service would look at it.
 * @throws ConnectError for the first that refuses it
 */
export async function admitCaller(gate: Gate, { operation, ...arrival }: Arrival): Promise<CallContext> {
  const { method, path, streams } = operation;
  const { request, requestId, response } = arrival;
  const call = isPrompt(operation, request)
    ? promptCall(method, { request, operation: `${request.method} ${path}` })
    : undefined;
  const { caller, leave } = await enter(gate, { ...arrival, method, call, takesApiKey: takesApiKey(operation) });
  const headers = caller ? credentialHeaders(caller) : new Headers();
  if (caller) headers.set(sourceAddressHeader, gate.door.sourceOf(request).address);
  headers.set(requestIdHeader, requestId);
  const known = caller ? { organisationId: caller.organisationId } : {};
  gate.observation.operation(request, { path, streams, ...known });
  const done = () => leave(response.statusCode === 503);
  return { headers, done, ...(streams ? { signal: gate.draining } : {}) };
}

/** Whether a service answers it as soon as it can. */
export function isPrompt({ method, streams }: Operation, { url }: IncomingMessage): boolean {
  const waits = method.input.field.waitSeconds !== undefined && url?.includes("wait_seconds=");
  return !streams && !waits;
}

export function takesApiKey({ route }: Operation): boolean {
  return route.headers.some(({ name }) => name.toLowerCase() === "api-key");
}

/** A call that is answered as soon as its service can, timed from when all of the request is there. */
export function promptCall(
  { parent }: DescMethod,
  { request, operation }: { request: IncomingMessage; operation: string },
): PromptCall {
  return { owner: ownerOf(parent), operation, ...(isAllHere(request) ? {} : { arrivedAt: arrivalOf(request) }) };
}

function isAllHere({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined);
}

function arrivalOf(request: IncomingMessage): () => number | undefined {
  let arrivedAt: number | undefined;
  request.once("end", () => {
    arrivedAt = performance.now();
  });
  return () => arrivedAt;
}

function once(leave: Leave): Leave {
  let isOver = false;
  return (isUnavailable) => {
    if (!isOver) leave(isUnavailable);
    isOver = true;
  };
}
