import { hash as hashText } from "node:crypto";
import type { CredentialChanged } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type {
  CredentialService,
  ExchangeCredentialResponse,
} from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Caller } from "./caller.ts";
import { type CredentialChange, concerns } from "./credential-change.ts";
import { ExchangedCallers } from "./exchanged-callers.ts";
import { IdentityCircuit } from "./identity-circuit.ts";
import { refusal } from "./refusal.ts";

/** What a caller shows; an empty text where it showed nothing. */
export interface PresentedCredential {
  readonly bearer: string;
  readonly apiKey: string;
}

/** Stands before the exchange of a credential that is not remembered as good: calls `ask`, or throws instead. */
export type ExchangeGuard = (ask: () => Promise<Caller>) => Promise<Caller>;

/** Turns credentials into callers at identity, and remembers the answers for as long as they hold. */
export interface CredentialExchange {
  /**
   * @throws ConnectError: identity's refusal, or UNAVAILABLE while identity cannot be asked.
   * @throws what `guard` throws; a credential that was good when last seen does not pass it.
   */
  exchange(credential: PresentedCredential, guard?: ExchangeGuard): Promise<Caller>;
  /** Forgets every caller the change concerns, also those whose exchange is under way. */
  evict(change: CredentialChanged): void;
  /** Calls `listener` after each eviction, for code that holds a caller for longer than one call. */
  onEvict(listener: (change: CredentialChange) => void): { close(): void };
  /** Whether identity is not asked at the moment, because it did not answer several times in a row. */
  readonly isRefusing: boolean;
}

/** An exchange that also returns callers it remembers, without asking identity. */
export interface RememberingExchange extends CredentialExchange {
  /** The caller of a credential that was good when it was last seen, and whose context still holds. */
  known(credential: PresentedCredential): Caller | undefined;
}

/** How long before its end a context is renewed, so that it still holds when it arrives downstream. */
const renewBeforeMs = 10_000;
const exchangeTimeoutMs = 5_000;
/** An exchange that eviction keeps voiding is refused after so many tries. */
const longestRace = 3;

interface Flight {
  readonly answer: Promise<Caller>;
  readonly changes: CredentialChange[];
}

export function createCredentialExchange(o: {
  client: Pick<Client<typeof CredentialService>, "exchangeCredential">;
  now: () => Date;
  /** Most callers, and most refusals, remembered; default 10,000 each. */
  remembered?: number;
}): RememberingExchange {
  const callers = new ExchangedCallers({ max: o.remembered ?? 10_000, now: o.now });
  const flights = new Map<string, Flight>();
  const listeners = new Set<(change: CredentialChange) => void>();
  const circuit = new IdentityCircuit();

  const exchangeAt = (credential: PresentedCredential) =>
    circuit.run(() => o.client.exchangeCredential(credential, { timeoutMs: exchangeTimeoutMs }));

  const ask = async (hash: string, credential: PresentedCredential, changes: CredentialChange[]): Promise<Caller> => {
    const paired = credential.bearer !== "" && credential.apiKey !== "";
    for (let attempt = 0; attempt < longestRace; attempt++) {
      changes.length = 0;
      const caller = callerFrom(await exchangeAt(credential));
      // A change that arrived meanwhile may or may not be in the answer: only asking again tells.
      if (changes.some((change) => concerns(change, { caller, paired }))) continue;
      callers.remember(hash, { caller, paired });
      return caller;
    }
    throw refusal("IDENTITY_UNAVAILABLE");
  };

  const askOnce = (hash: string, credential: PresentedCredential): Promise<Caller> => {
    const underWay = flights.get(hash);
    if (underWay) return underWay.answer;
    const changes: CredentialChange[] = [];
    const answer = ask(hash, credential, changes).finally(() => flights.delete(hash));
    flights.set(hash, { answer, changes });
    return answer;
  };

  const renew = async (hash: string, credential: PresentedCredential, known: Caller | undefined): Promise<Caller> => {
    const refused = callers.refusal(hash);
    if (refused) throw refused;
    try {
      return await askOnce(hash, credential);
    } catch (error) {
      const failure = ConnectError.from(error, Code.Unavailable);
      if (failure.code === Code.Unauthenticated) callers.rememberRefusal(hash, failure);
      // Identity away is no reason to refuse a context that still holds.
      else if (known && callers.find(hash) && remainingMs(known, o.now) > 0) return known;
      throw presentable(failure);
    }
  };

  return {
    async exchange(credential, guard) {
      const hash = hashOf(credential);
      const known = callers.find(hash);
      if (known && remainingMs(known, o.now) > renewBeforeMs) return known;
      const ask = () => renew(hash, credential, known);
      return known || !guard ? ask() : guard(ask);
    },
    known(credential) {
      const caller = callers.find(hashOf(credential));
      return caller && remainingMs(caller, o.now) > 0 ? caller : undefined;
    },
    evict(change) {
      callers.forget(change);
      for (const flight of flights.values()) flight.changes.push(change);
      for (const listener of listeners) listener(change);
    },
    onEvict(listener) {
      listeners.add(listener);
      return { close: () => void listeners.delete(listener) };
    },
    get isRefusing() {
      return circuit.isOpen;
    },
  };
}

/** Identity's refusals pass. How identity failed is for the log alone, except that its database is away. */
function presentable(failure: ConnectError): ConnectError {
  if (failure.code === Code.Unauthenticated) return failure;
  const isStoreAway = failure.findDetails(ErrorInfoSchema).some(({ reason }) => reason === "STORE_UNAVAILABLE");
  return refusal(isStoreAway ? "STORE_UNAVAILABLE" : "IDENTITY_UNAVAILABLE", failure);
}

function remainingMs(caller: Caller, now: () => Date): number {
  return caller.expiresAt.getTime() - now().getTime();
}

/** The credential itself is never kept; the length keeps ("a", "bc") and ("ab", "c") apart. */
function hashOf({ bearer, apiKey }: PresentedCredential): string {
  return hashText("sha256", `${bearer.length} ${bearer}${apiKey}`, "base64");
}

function callerFrom({ signedContext, caller }: ExchangeCredentialResponse): Caller {
  if (!caller?.expiresAt) throw new ConnectError("identity answered without a caller", Code.Internal);
  return {
    organisationId: caller.organisationId,
    ...(caller.memberId === undefined ? {} : { memberId: caller.memberId }),
    permissions: new Set(caller.permissions),
    credentialId: caller.credentialId,
    expiresAt: timestampDate(caller.expiresAt),
    signedContext,
  };
}
