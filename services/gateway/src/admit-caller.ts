import type { IncomingMessage } from "node:http";
import { assertAllowed, type CredentialExchange, credentialHeaders } from "@aiplatform/caller-identity";
import { requestIdHeader } from "@aiplatform/service-host";
import type { CallContext, Operation } from "@aiplatform/transcoder";
import type { Admission } from "./admission.ts";
import { presentedCredential } from "./presented-credential.ts";
import type { RequestObservation } from "./request-observation.ts";

export interface Gate {
  readonly exchange: Pick<CredentialExchange, "exchange">;
  readonly admission: Admission;
  readonly observation: RequestObservation;
  /** Aborts when the gateway drains: streams end then, and their clients come back elsewhere. */
  readonly draining: AbortSignal;
}

/**
 * What a request passes before its body is read: credential, the organisation's budget, permission.
 * @throws ConnectError for the first that refuses it
 */
export async function admitCaller(
  { exchange, admission, observation, draining }: Gate,
  { operation, request, requestId }: { operation: Operation; request: IncomingMessage; requestId: string },
): Promise<CallContext> {
  const caller = await exchange.exchange(presentedCredential(request.headers, takesApiKey(operation)));
  const leave = await admission.enter(caller.organisationId);
  try {
    assertAllowed(operation.method, caller);
  } catch (refused) {
    leave();
    throw refused;
  }
  const headers = credentialHeaders(caller);
  headers.set(requestIdHeader, requestId);
  observation.operation(request, operation.path, headers);
  return { headers, done: leave, ...(operation.streams ? { signal: draining } : {}) };
}

function takesApiKey({ route }: Operation): boolean {
  return route.headers.some(({ name }) => name.toLowerCase() === "api-key");
}
