import { createContextKey as createValuesKey } from "@connectrpc/connect";
import { type Context, context, createContextKey } from "@opentelemetry/api";

/** What the call being served passes on to whatever it causes. */
export interface CurrentCall {
  readonly requestId: string;
  /** When the call must be answered, in milliseconds since the epoch; absent for streams without a deadline. */
  readonly deadline?: number;
}

const callKey = createContextKey("aiplatform call");

/** Where both servers leave the deadline of a call, in milliseconds since the epoch, for the interceptors. */
export const deadlineKey = createValuesKey<number | undefined>(undefined, { description: "deadline" });

/** The call on whose behalf this code runs, or nothing outside of calls. */
export function currentCall(): CurrentCall | undefined {
  const call = context.active().getValue(callKey);
  return isCurrentCall(call) ? call : undefined;
}

/** A context in which `currentCall()` answers `call`. */
export function contextOfCall(parent: Context, call: CurrentCall): Context {
  return parent.setValue(callKey, call);
}

function isCurrentCall(value: unknown): value is CurrentCall {
  return typeof value === "object" && value !== null && "requestId" in value;
}
