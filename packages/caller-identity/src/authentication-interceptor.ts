import type { Interceptor, StreamRequest, UnaryRequest } from "@connectrpc/connect";
import { accessRule } from "./access-rule.ts";
import { type Caller, callerContextHeader, callerKey } from "./caller.ts";
import type { ContextVerifier } from "./context-verifier.ts";
import type { CredentialExchange, CredentialSource, PresentedCredential } from "./credential-exchange.ts";
import { endOnAbort } from "./end-on-abort.ts";
import { refusal } from "./refusal.ts";
import { type ContextAudiences, callingServiceKey, contextAudiences } from "./service-interceptor.ts";
import { superviseCaller } from "./supervise-caller.ts";

/**
 * Establishes the caller of every RPC that is not public. A signed context is verified here, for those that `audiences`
 * says (default all of the mesh); a bearer token or API key is exchanged at identity. What is presented and bad is never treated as absent.
 *
 * A call that the gateway passes on has both: the context says who calls, and the credential whether a stream may go on.
 * A stream opened with a credential is checked again every `recheckMs` (default and at most 60 s) and at once when
 * the credential changes: it ends UNAUTHENTICATED or PERMISSION_DENIED as soon as a new call would be refused.
 */
export function authenticationInterceptor(o: {
  verifier: ContextVerifier;
  exchange?: CredentialExchange;
  recheckMs?: number;
  audiences?: ContextAudiences;
  /** Where a request comes from. Default: not known, and no number of bad credentials is too large. */
  sourceOf?: (request: UnaryRequest | StreamRequest) => CredentialSource;
}): Interceptor {
  const { audiences = contextAudiences(undefined) } = o;
  return (next) => async (request) => {
    if (accessRule(request.method).kind === "public") return next(request);
    const { exchange } = o;
    const signed = request.header.get(callerContextHeader);
    if (signed !== null) {
      const believed = audiences(request.method, request.contextValues.get(callingServiceKey));
      const caller = await o.verifier.verify(signed, believed);
      request.contextValues.set(callerKey, caller);
      if (!request.stream || !exchange || !isCredentialShown(request.header)) return next(request);
      return supervised(request, { exchange, credential: presentedCredential(request.header), caller });
    }
    const credential = presentedCredential(request.header);
    if (!exchange) throw refusal("CREDENTIAL_MISSING");
    const caller = await exchange.exchange(credential, o.sourceOf?.(request));
    request.contextValues.set(callerKey, caller);
    return request.stream ? supervised(request, { exchange, credential, caller }) : next(request);

    function supervised(
      stream: StreamRequest,
      held: { exchange: CredentialExchange; credential: PresentedCredential; caller: Caller },
    ) {
      const everyMs = Math.min(o.recheckMs ?? 60_000, 60_000);
      const signal = superviseCaller({ ...held, method: stream.method, signal: stream.signal, everyMs });
      return endOnAbort(next, { ...stream, signal }, signal);
    }
  };
}

function isCredentialShown(header: UnaryRequest["header"]): boolean {
  return header.has("authorization") || header.has("api-key");
}

/** @throws the UNAUTHENTICATED refusal when there is none, or an Authorization header of another scheme. */
function presentedCredential(header: UnaryRequest["header"]): PresentedCredential {
  const authorization = header.get("authorization") ?? "";
  const apiKey = header.get("api-key") ?? "";
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
  if (authorization !== "" && bearer === "") throw refusal("CREDENTIAL_MALFORMED");
  if (bearer === "" && apiKey === "") throw refusal("CREDENTIAL_MISSING");
  return { bearer, apiKey };
}
