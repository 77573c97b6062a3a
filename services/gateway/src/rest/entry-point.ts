import type { IncomingMessage } from "node:http";
import {
  accessRule,
  type Caller,
  credentialHeaders,
  type PresentedCredential,
  type SessionCookie,
  sourceAddressHeader,
} from "@aiplatform/caller-identity";
import { nameRequest, type RequestName } from "@aiplatform/service-host";
import { type CallContext, HttpError, type Operation, type Transcoder } from "@aiplatform/transcoder";
import type { AdmissionControl, AdmissionTarget, EntryPoint } from "../admission/admission-control.ts";
import { lastingDemand } from "../admission/lasting-demand.ts";
import { isCredentialShown, presentedCredential } from "../admission/presented-credential.ts";
import type { RequestObservation } from "../edge/request-observation.ts";
import type { Source } from "../edge/source-address.ts";
import { isNotebookPath } from "../notebooks/path.ts";
import { sessionCredential } from "../sessions/own-page.ts";
import { isOwn, upstreamOf } from "../upstreams/upstreams.ts";

export interface RestOptions {
  readonly transcoder: Pick<Transcoder, "match" | "operations">;
  readonly observation: Pick<RequestObservation, "operation">;
  readonly sourceOf: (request: IncomingMessage) => Source;
  /** In which browsers keep their session. Default: there are no sessions. */
  readonly sessionCookie?: SessionCookie | undefined;
  /** Aborts when the gateway drains: streams end then, and their clients are told to come back. */
  readonly draining: AbortSignal;
}

/** Requests to the operations of the contract. */
export function createRestEntryPoint(
  control: AdmissionControl,
  { transcoder, observation, sourceOf, sessionCookie, draining }: RestOptions,
): EntryPoint {
  const moving = movingWhen(draining);
  const targets = new Map(transcoder.operations.map((operation) => [operation, targetsOf(operation)]));
  const targetOf = (operation: Operation) => (targets.get(operation) ?? targetsOf(operation)).normal;
  /** What goes along with a call. A credential sent to a public operation goes no further: no service would look at it. */
  const callHeaders = ({ operation, caller, request, name }: CallParts): Headers => {
    const upstream = operation && !isOwn(operation.service) ? upstreamOf(operation.service) : undefined;
    const headers = caller && upstream ? credentialHeaders(caller, upstream) : new Headers();
    if (caller) headers.set(sourceAddressHeader, sourceOf(request).address);
    nameRequest(headers, name);
    // The service ends a stream once its credential is no longer accepted.
    if (caller && operation?.streams)
      showCredential(headers, credentialOf(request, targetOf(operation).takesApiKey, sessionCookie));
    return headers;
  };
  return control.publicEntryPoint({
    showsRateLimit: true,
    refundsUnavailable: true,
    match: (request) => transcoder.match(request),
    target({ operation }, { url }) {
      const known = operation && targets.get(operation);
      return known?.waiting && url?.includes("wait_seconds=") ? known.waiting : known?.normal;
    },
    decline: ({ match, request, response }) => match.refuseMethod(request, response),
    async serve({ match, request, response, ...name }, { caller }, admitPart) {
      const { operation } = match;
      const { path = "", streams = false } = operation ?? {};
      const headersOf = (each: Operation | undefined, known: Caller | undefined) =>
        callHeaders({ operation: each, caller: known, request, name });
      const known = caller ? { organisationId: caller.organisationId } : {};
      observation.operation(request, { path, streams, ...known });
      const prepare = async (part: Operation): Promise<CallContext> => {
        const admitted = await admitPart(targetOf(part));
        return { headers: headersOf(part, admitted.caller), done: admitted.release };
      };
      const lasting = streams ? { signal: moving, prepare } : {};
      await match.answer(request, response, { headers: headersOf(operation, caller), ...lasting });
    },
    fail: ({ match, request, response }, error) => match.fail(request, response, error),
  });
}

/** Ends streams so that their clients take it for an interruption, and not for the end of what is streamed. */
function movingWhen(draining: AbortSignal): AbortSignal {
  const moving = new AbortController();
  const end = () => moving.abort(new HttpError(503, "The gateway is stopping", "reconnect", { "retry-after": "1" }));
  if (draining.aborted) end();
  else draining.addEventListener("abort", end, { once: true });
  return moving.signal;
}

interface CallParts {
  readonly operation: Operation | undefined;
  readonly caller: Caller | undefined;
  readonly request: IncomingMessage;
  readonly name: RequestName;
}

/** What an admitted request has shown. */
function credentialOf(
  { headers }: IncomingMessage,
  takesApiKey: boolean,
  sessionCookie: SessionCookie | undefined,
): PresentedCredential {
  const session = isCredentialShown(headers, takesApiKey) ? undefined : sessionCredential(headers, sessionCookie);
  return session ?? presentedCredential(headers, takesApiKey);
}

function showCredential(headers: Headers, { bearer, apiKey }: PresentedCredential): void {
  if (bearer !== "") headers.set("authorization", `Bearer ${bearer}`);
  if (apiKey !== "") headers.set("api-key", apiKey);
}

/** `waiting`: where a request can ask to wait. */
function targetsOf(operation: Operation): { normal: AdmissionTarget; waiting?: AdmissionTarget } {
  const { method, service, httpMethod, path, route, streams, takesStream } = operation;
  const waiting: AdmissionTarget = {
    path,
    method,
    isPublic: accessRule(method).kind === "public",
    takesApiKey: route.headers.some(({ name }) => name.toLowerCase() === "api-key"),
    // What is below /notebooks/ is a hub's and its users', not the console's.
    takesSession: !isNotebookPath(path),
    demand: lastingDemand(method),
  };
  if (streams || takesStream) return { normal: waiting };
  const normal = { ...waiting, demand: { upstream: upstreamOf(service), operation: `${httpMethod} ${path}` } };
  return method.input.field.waitSeconds === undefined ? { normal } : { normal, waiting };
}
