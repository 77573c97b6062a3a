import type { IncomingMessage } from "node:http";
import {
  assertAllowed,
  type Caller,
  type CredentialExchange,
  type PresentedCredential,
  refusal,
} from "@aiplatform/caller-identity";
import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { refusalCodes } from "@aiplatform/service-host";
import { create, type DescMethod } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import type { GuessLimit } from "./guess-limit.ts";
import { isCredentialShown, presentedCredential } from "./presented-credential.ts";
import type { Source } from "./source-address.ts";

/** A request that wants in. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** The RPC it is for. Absent where it is for none. */
  readonly method?: DescMethod;
  /** Whether `Api-key` counts. Default false. */
  readonly takesApiKey?: boolean;
}

/** Finds out who calls, and records whom it turns away with 401 or 403; what is put off with 429 or 503 is not recorded. */
export interface Door {
  /**
   * @throws ConnectError UNAUTHENTICATED, UNAVAILABLE without identity, RESOURCE_EXHAUSTED for a source that guesses or
   * shows too often none
   */
  identify(visit: Visit): Promise<Caller>;
  /** @throws ConnectError PERMISSION_DENIED when the caller lacks what the RPC needs */
  allow(visit: Visit & { readonly method: DescMethod }, caller: Caller): void;
  /** Records a known caller that is turned away at the edge for another reason. */
  turnedAway(visit: Visit, refused: ConnectError, caller: Caller): void;
  /** Where a request comes from. */
  sourceOf(request: IncomingMessage): Source;
}

export interface DoorParts {
  readonly exchange: Pick<CredentialExchange, "exchange">;
  readonly guesses: Pick<GuessLimit, "attempt">;
  readonly sourceOf: (request: IncomingMessage) => Source;
  /** Counts a request of a source that shows no credential; throws when there are too many. Default: never. */
  readonly countAnonymous?: (source: string) => Promise<void>;
  /** Receives each refusal once; must neither throw nor wait. */
  readonly refusals: (refused: CallRefused) => void;
  readonly now: () => Date;
}

export function createDoor(parts: DoorParts): Door {
  const { exchange, guesses, sourceOf, refusals, now } = parts;
  const callerOf = (request: IncomingMessage, takesApiKey: boolean): Promise<Caller> => {
    const guarded = (attempt: () => Promise<Caller>) => guesses.attempt(sourceOf(request).network, attempt);
    const read = readCredential(request, takesApiKey);
    // What cannot be read is a guess like any other: a service might read it.
    return read instanceof ConnectError ? guarded(() => Promise.reject(read)) : exchange.exchange(read, guarded);
  };

  const record = ({ request, requestId, method }: Visit, error: ConnectError, caller?: Caller): void =>
    refusals(
      create(CallRefusedSchema, {
        organisationId: caller?.organisationId ?? "",
        memberId: caller?.memberId ?? "",
        credentialId: caller?.credentialId ?? "",
        refusedBy: "gateway",
        rpc: method ? `${method.parent.typeName}/${method.name}` : "",
        code: refusalCodes.get(error.code) ?? "permission_denied",
        reason: error.findDetails(ErrorInfoSchema)[0]?.reason ?? "",
        requestId,
        sourceAddress: sourceOf(request).address,
        refusedAt: timestampFromDate(now()),
      }),
    );

  return {
    sourceOf,
    turnedAway: record,
    async identify(visit) {
      try {
        const { request, takesApiKey = false } = visit;
        if (isCredentialShown(request.headers, takesApiKey)) return await callerOf(request, takesApiKey);
        await parts.countAnonymous?.(sourceOf(request).network);
        throw refusal("CREDENTIAL_MISSING");
      } catch (error) {
        if (error instanceof ConnectError && error.code === Code.Unauthenticated) record(visit, error);
        throw error;
      }
    },
    allow(visit, caller) {
      try {
        assertAllowed(visit.method, caller);
      } catch (error) {
        if (error instanceof ConnectError) record(visit, error, caller);
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
