import type { HandlerContext } from "@connectrpc/connect";
import { createContextKey } from "@connectrpc/connect";

/** Metadata key (and HTTP header) that carries a signed caller context between services. */
export const callerContextHeader = "x-caller-context";

/**
 * Metadata key (and HTTP header) in which the gateway says where a request came from, for the audit log. It is believed only
 * of a call with a valid caller context, which only the mesh has.
 */
export const sourceAddressHeader = "x-source-address";

/** Who is calling, verified. */
export interface Caller {
  /** The organisation whose data the caller may reach; empty for the operator of the installation. */
  readonly organisationId: string;
  /** The member on whose behalf the call is made; absent when an API key acts for itself. */
  readonly memberId?: string;
  /** What the caller may do, `resource:action`. */
  readonly permissions: ReadonlySet<string>;
  /** Id of the credential behind the call: an API key's id, or `issuer subject` of a token. */
  readonly credentialId: string;
  /** The browser's session, when the credential is one. */
  readonly sessionId?: string;
  /** When the signed context stops being valid; at most 60 s after it was issued. */
  readonly expiresAt: Date;
  /** The context as other services verify it; a secret, never logged. */
  readonly signedContext: string;
  /** The context for each service by name, where a service has its own; secrets, too. */
  readonly signedContexts?: Readonly<Record<string, string>>;
}

/** Thrown where an RPC asks for its caller although the contract declares it public: a mistake in the service. */
class CallerUnknownError extends Error {
  override name = "CallerUnknownError";
  readonly rpc: string;
  constructor(rpc: string) {
    super(`${rpc} is public: it has no caller`);
    this.rpc = rpc;
  }
}

/** Where the authentication interceptor leaves the caller for the handler. */
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: "caller" });

/** The verified caller of this call. @throws CallerUnknownError when the RPC is public. */
export function callerOf(context: Pick<HandlerContext, "values" | "method">): Caller {
  const caller = context.values.get(callerKey);
  if (!caller) throw new CallerUnknownError(`${context.method.parent.typeName}/${context.method.name}`);
  return caller;
}

/** What lets a service call another on behalf of the same caller. */
export type ForwardedCaller = Pick<Caller, "signedContext" | "signedContexts">;

/** Headers that let a call to `service` be made on behalf of the same caller. */
export function credentialHeaders(caller: ForwardedCaller, service: string): Headers {
  return new Headers({ [callerContextHeader]: contextFor(caller, service) });
}

/** The signed context with which `service` is called. */
export function contextFor({ signedContexts, signedContext }: ForwardedCaller, service: string): string {
  return signedContexts?.[service] ?? signedContext;
}
