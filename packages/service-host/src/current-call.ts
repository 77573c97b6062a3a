import type { Caller } from "@aiplatform/caller-identity";
import { createContextKey as createValuesKey } from "@connectrpc/connect";
import { type Context, context, createContextKey } from "@opentelemetry/api";
import type { RequestIdSource, RequestName } from "./request-name.ts";

/** What the call being served passes on to whatever it causes. */
export interface CurrentCall {
  readonly requestId: string;
  /** Who chose the request id: the platform, once it is established that a service says so. */
  readonly requestIdSource: () => RequestIdSource;
  /** When the call must be answered, in milliseconds since the epoch; absent for streams without a deadline. */
  readonly deadline?: number;
  /** The caller, once it is established; undefined in public RPCs. */
  readonly caller: () => Caller | undefined;
}

/** Who caused what this code does, and by which request; what is not known is absent. */
export interface CurrentCause extends RequestName {
  readonly memberId?: string;
  readonly credentialId?: string;
}

const callKey = createContextKey("aiplatform call");

/** Where both servers leave the deadline of a call, in milliseconds since the epoch, for the interceptors. */
export const deadlineKey = createValuesKey<number | undefined>(undefined, { description: "deadline" });

/** Where both servers leave how to find the address that a call comes from. */
export const peerKey = createValuesKey<(() => string | undefined) | undefined>(undefined, { description: "peer" });

/** The call on whose behalf this code runs, or nothing outside of calls. */
export function currentCall(): CurrentCall | undefined {
  const call = context.active().getValue(callKey);
  return isCurrentCall(call) ? call : undefined;
}

/** What the events of the call being served are to say of their cause; nothing outside of calls. */
export function currentCause(): CurrentCause | undefined {
  const call = currentCall();
  if (!call) return undefined;
  const caller = call.caller();
  return {
    requestId: call.requestId,
    requestIdSource: call.requestIdSource(),
    ...(caller === undefined ? {} : { credentialId: caller.credentialId }),
    ...(caller?.memberId === undefined ? {} : { memberId: caller.memberId }),
  };
}

/** A context in which `currentCall()` answers `call`. */
export function contextOfCall(parent: Context, call: CurrentCall): Context {
  return parent.setValue(callKey, call);
}

function isCurrentCall(value: unknown): value is CurrentCall {
  return typeof value === "object" && value !== null && "requestId" in value;
}
