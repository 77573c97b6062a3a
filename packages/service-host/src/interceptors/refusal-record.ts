import { callerContextHeader, callerKey, sourceAddressHeader } from "@aiplatform/caller-identity";
import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Health } from "@aiplatform/contract/grpc/health/v1/health";
import { ServerReflection } from "@aiplatform/contract/grpc/reflection/v1/reflection";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { type Request, rpcName, watchCall } from "../call-end.ts";
import { currentCall, peerKey } from "../current-call.ts";
import { ServerReflectionV1alpha } from "../reflection/reflection-v1alpha.ts";

/** Metadata of a refusal that is already recorded, so that services that pass it on do not record it again. */
const refusalRecordedHeader = "x-refusal-recorded";

/** What counts as a refusal, in the event's spelling: an id of another organisation is told as one that does not exist. */
export const refusalCodes: ReadonlyMap<Code, string> = new Map([
  [Code.Unauthenticated, "unauthenticated"],
  [Code.PermissionDenied, "permission_denied"],
  [Code.NotFound, "not_found"],
]);

/** Asked on the way to serving a call, or by the platform itself: what they refuse is no caller's call. */
const exempt = new Set([
  CredentialService.typeName,
  Health.typeName,
  ServerReflection.typeName,
  ServerReflectionV1alpha.typeName,
]);

export interface RefusalRecording {
  /** Name of the service, as the record says who refused. */
  readonly service: string;
  readonly clock: () => Date;
  /** Receives each refusal once; must neither throw nor wait. */
  readonly refusals: (refused: CallRefused) => void;
}

/** Hands every refused call on to be recorded, unless the service that refused it has done so already. */
export function refusalRecordInterceptor({ service, clock, refusals }: RefusalRecording): Interceptor {
  return (next) => (request) => {
    if (exempt.has(request.method.parent.typeName)) return next(request);
    return watchCall(next, request, {
      failed(thrown) {
        const error = ConnectError.from(thrown);
        const code = refusalCodes.get(error.code);
        if (code === undefined) return thrown;
        if (!error.metadata.has(refusalRecordedHeader)) {
          const refusedAt = timestampFromDate(clock());
          const reason = error.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
          const facts = { refusedBy: service, rpc: rpcName(request.method), code, reason, refusedAt };
          refusals(create(CallRefusedSchema, { ...facts, ...callFacts(request) }));
        }
        return markedAsRecorded(error);
      },
    });
  };
}

function callFacts({ contextValues, header }: Request) {
  const caller = contextValues.get(callerKey);
  return {
    organisationId: caller?.organisationId ?? "",
    memberId: caller?.memberId ?? "",
    credentialId: caller?.credentialId ?? "",
    requestId: currentCall()?.requestId ?? "",
    requestIdSource: currentCall()?.requestIdSource() ?? "",
    sourceAddress: sourceAddressOf(header, contextValues.get(peerKey)?.(), caller !== undefined),
  };
}

/**
 * With a signed context another service calls on the caller's behalf, from an address that says nothing of the caller: the
 * gateway says where the caller is. It is believed once the context is verified, which `isKnown` says.
 */
function sourceAddressOf(header: Headers, peer: string | undefined, isKnown: boolean): string {
  if (!header.has(callerContextHeader)) return peer ?? "";
  return (isKnown ? header.get(sourceAddressHeader) : null) ?? "";
}

/**
 * A copy: one refusal may be remembered and answer many calls, each of which is recorded. What a peer's answer had for
 * metadata stays behind, as with every error that is passed on.
 */
function markedAsRecorded(error: ConnectError): ConnectError {
  const metadata = error.isWireError ? undefined : error.metadata;
  const marked = new ConnectError(error.rawMessage, error.code, metadata, undefined, error.cause);
  marked.details = error.details;
  marked.metadata.set(refusalRecordedHeader, "true");
  return marked;
}
