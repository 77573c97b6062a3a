import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";

/** Domain of every ErrorInfo of this platform. */
export const errorDomain = "aiplatform";

interface Refusal {
  readonly code: Code;
  readonly message: string;
}

/** Everything this package refuses a call for; the reasons are stable and documented for callers. */
const refusals = {
  CREDENTIAL_MISSING: { code: Code.Unauthenticated, message: "no credential was presented" },
  CREDENTIAL_MALFORMED: {
    code: Code.Unauthenticated,
    message: "the credential is not one this platform could have issued",
  },
  CONTEXT_MALFORMED: { code: Code.Unauthenticated, message: "the caller context is not a signed context" },
  // Signed by identity, so the credential is good: clocks differ, or the call took too long. Never the caller's fault.
  CONTEXT_EXPIRED: { code: Code.Unavailable, message: "the caller context has expired on its way" },
  CONTEXT_NOT_YET_VALID: { code: Code.Unavailable, message: "the caller context is not valid yet" },
  CONTEXT_AUDIENCE: { code: Code.Unauthenticated, message: "the caller context is meant for another audience" },
  CONTEXT_ISSUER: { code: Code.Unauthenticated, message: "the caller context comes from another issuer" },
  CONTEXT_SIGNATURE: { code: Code.Unauthenticated, message: "the caller context's signature does not hold" },
  SERVICE_ASSERTION_MISSING: {
    code: Code.Unauthenticated,
    message: "only services of the platform may call this, and the caller does not prove that it is one",
  },
  SERVICE_ASSERTION_INVALID: {
    code: Code.Unauthenticated,
    message: "the calling service's assertion is not signed by a service's key for this service",
  },
  SERVICE_ASSERTION_OUT_OF_TIME: {
    code: Code.Unavailable,
    message: "the calling service's assertion is out of its time: the clocks of two services differ",
  },
  IDENTITY_UNAVAILABLE: { code: Code.Unavailable, message: "the caller cannot be verified at the moment" },
  SHUTTING_DOWN: { code: Code.Unavailable, message: "the service is stopping" },
  STORE_UNAVAILABLE: { code: Code.Unavailable, message: "the database is not available" },
} satisfies Record<string, Refusal>;

export type RefusalReason = keyof typeof refusals;

const outOfTime: ReadonlySet<string> = new Set<RefusalReason>([
  "CONTEXT_EXPIRED",
  "CONTEXT_NOT_YET_VALID",
  "SERVICE_ASSERTION_OUT_OF_TIME",
]);

/** Whether a service refused a call, before it did anything, because its clock and the context's times disagree. */
export function isOutOfTime(error: ConnectError): boolean {
  return error
    .findDetails(ErrorInfoSchema)
    .some(({ domain, reason }) => domain === errorDomain && outOfTime.has(reason));
}

/** Whether the operator has suspended the caller's organisation: nothing is wrong with the credential. */
export function isSuspension(error: ConnectError): boolean {
  return error
    .findDetails(ErrorInfoSchema)
    .some(({ domain, reason }) => domain === errorDomain && reason === "ORGANISATION_SUSPENDED");
}

/** A refusal as callers receive it: code, message with its remedy, and an ErrorInfo with the stable reason. */
export function refusal(reason: RefusalReason, cause?: unknown, remedy?: string): ConnectError {
  const { code, message } = refusals[reason];
  const info = { desc: ErrorInfoSchema, value: { reason, domain: errorDomain } };
  return new ConnectError(remedy === undefined ? message : `${message}: ${remedy}`, code, undefined, [info], cause);
}

/** Gives an error without an ErrorInfo one: its reason is the name of the code, such as DEADLINE_EXCEEDED. Changes the error. */
export function withReason(error: ConnectError): ConnectError {
  if (error.findDetails(ErrorInfoSchema).length > 0) return error;
  error.details.push({ desc: ErrorInfoSchema, value: { reason: reasonOf(error.code), domain: errorDomain } });
  return error;
}

/** The name of a code as gRPC writes it. */
export function reasonOf(code: Code): string {
  return Code[code].replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
}

/** The calling service is known, and the contract does not let it call this. */
export function serviceNotAllowed(service: string): ConnectError {
  const value = { reason: "SERVICE_NOT_ALLOWED", domain: errorDomain, metadata: { service } };
  return new ConnectError(`The service ${service} may not call this`, Code.PermissionDenied, undefined, [
    { desc: ErrorInfoSchema, value },
  ]);
}

/** The caller is known and lacks a permission; the message names it, so that a person can ask for it. */
export function permissionMissing(permission: string): ConnectError {
  const value = { reason: "PERMISSION_MISSING", domain: errorDomain, metadata: { permission } };
  return new ConnectError(`Missing permission: ${permission}`, Code.PermissionDenied, undefined, [
    { desc: ErrorInfoSchema, value },
  ]);
}
