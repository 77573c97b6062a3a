import type { IncomingMessage } from "node:http";
import {
  assertAllowed,
  type Caller,
  type CredentialExchange,
  type FailedCredentialLimiter,
  type PresentedCredential,
  type SessionCookie,
} from "@aiplatform/caller-identity";
import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type RequestName, refusalCodes } from "@aiplatform/service-host";
import { create, type DescMethod } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import type { Source } from "../edge/source-address.ts";
import { foreignOrigin, isOwnPage, sessionCredential } from "../sessions/own-page.ts";
import { credentialMissing, isCredentialShown, presentedCredential } from "./presented-credential.ts";

/** A request for an RPC. */
export interface RpcRequest extends RequestName {
  readonly request: IncomingMessage;
  /** The RPC it is for; undefined for one that only a newer service knows. */
  readonly method: DescMethod | undefined;
}

/** A request to authenticate, and to authorize for its RPC. */
export interface AuthRequest extends RpcRequest {
  /** Whether `Api-key` counts. */
  readonly takesApiKey: boolean;
  /** Whether a browser's session counts. */
  readonly takesSession: boolean;
}

/** Finds out who calls, and records what is denied with 401 or 403; what is refused with 429 or 503 is not recorded. */
export interface Authenticator {
  /**
   * @throws ConnectError UNAUTHENTICATED, PERMISSION_DENIED for a suspended organisation or a foreign page with the session, UNAVAILABLE without identity,
   * RESOURCE_EXHAUSTED for a source that fails or shows too often none
   */
  authenticate(auth: AuthRequest): Promise<Caller>;
  /** @throws ConnectError PERMISSION_DENIED when the caller lacks what the RPC needs */
  authorize(auth: RpcRequest, caller: Caller): void;
  /** Records that a known caller was denied something for another reason. */
  recordDenied(auth: RpcRequest, refused: ConnectError, caller: Caller): void;
}

export interface AuthenticatorOptions {
  readonly exchange: Pick<CredentialExchange, "exchange">;
  readonly failedAuth: Pick<FailedCredentialLimiter, "attempt">;
  readonly sourceOf: (request: IncomingMessage) => Source;
  /** In which browsers keep their session. Default: there are no sessions. */
  readonly sessionCookie?: SessionCookie | undefined;
  /** Counts a request of a source that shows no credential, or a session from a foreign page; throws when there are too many. Default: never. */
  readonly countAnonymous?: (source: string) => Promise<void>;
  /** Receives each refusal once; must neither throw nor wait. */
  readonly refusals: (refused: CallRefused) => void;
  readonly now: () => Date;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { exchange, failedAuth, sourceOf, sessionCookie, countAnonymous, refusals, now } = options;
  const exchanged = (request: IncomingMessage, shown: PresentedCredential | ConnectError): Promise<Caller> => {
    const guard = (attempt: () => Promise<Caller>) => failedAuth.attempt(sourceOf(request).network, attempt);
    // What cannot be read is an attempt like any other: a service might read it.
    if (shown instanceof ConnectError) return guard(() => Promise.reject(shown));
    return exchange.exchange(shown, { address: () => sourceOf(request).address, guard });
  };

  const sessionCaller = async (request: IncomingMessage): Promise<Caller | undefined> => {
    const shown = sessionCookie && sessionCredential(request.headers, sessionCookie);
    if (!shown) return undefined;
    if (isOwnPage(request, sessionCookie)) return await exchanged(request, shown);
    // Identity is not asked, so the cookie may be made up.
    await countAnonymous?.(sourceOf(request).network);
    throw foreignOrigin(sessionCookie);
  };

  const record = ({ request, method, ...name }: RpcRequest, error: ConnectError, caller?: Caller): void =>
    refusals(
      create(CallRefusedSchema, {
        organisationId: caller?.organisationId ?? "",
        memberId: caller?.memberId ?? "",
        credentialId: caller?.credentialId ?? "",
        refusedBy: "gateway",
        rpc: method ? `${method.parent.typeName}/${method.name}` : "",
        code: refusalCodes.get(error.code) ?? "permission_denied",
        reason: error.findDetails(ErrorInfoSchema)[0]?.reason ?? "",
        requestId: name.requestId,
        requestIdSource: name.requestIdSource,
        sourceAddress: sourceOf(request).address,
        refusedAt: timestampFromDate(now()),
      }),
    );

  return {
    recordDenied: record,
    async authenticate(auth) {
      try {
        const { request, takesApiKey, takesSession } = auth;
        if (isCredentialShown(request.headers, takesApiKey)) {
          return await exchanged(request, readCredential(request, takesApiKey));
        }
        const inSession = takesSession ? await sessionCaller(request) : undefined;
        if (inSession) return inSession;
        await countAnonymous?.(sourceOf(request).network);
        throw credentialMissing(request.headers);
      } catch (error) {
        if (error instanceof ConnectError && refusalCodes.has(error.code)) record(auth, error);
        throw error;
      }
    },
    authorize(auth, caller) {
      try {
        if (auth.method) assertAllowed(auth.method, caller);
      } catch (error) {
        if (error instanceof ConnectError) record(auth, error, caller);
        throw error;
      }
    },
  };
}

function readCredential(request: IncomingMessage, takesApiKey: boolean): PresentedCredential | ConnectError {
  try {
    return presentedCredential(request.headers, takesApiKey);
  } catch (error) {
    return ConnectError.from(error);
  }
}
