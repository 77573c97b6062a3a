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
import { retryAfterMs } from "./rate-limit-error.ts";
import { isSuspension, refusal } from "./refusal.ts";

/** What a caller shows; an empty text where it showed nothing. */
export interface PresentedCredential {
  readonly bearer: string;
  readonly apiKey: string;
}

/** Where a credential comes from. */
export interface CredentialSource {
  /** The IP address. Identity counts the bad credentials of each, over all services. */
  address(): string;
  /** Stands before the exchange of a credential that is not remembered as good: calls `ask`, or throws instead. */
  guard(ask: () => Promise<Caller>): Promise<Caller>;
}

/** Turns credentials into callers at identity, and remembers the answers for as long as they hold. */
export interface CredentialExchange {
  /**
   * @throws ConnectError: identity's refusal, or UNAVAILABLE while identity cannot be asked.
   * @throws what the source's guard throws; a credential that was good when last seen does not pass it.
   */
  exchange(credential: PresentedCredential, source?: CredentialSource): Promise<Caller>;
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
const maxAttempts = 3;

interface ExchangeDependencies {
  readonly client: Pick<Client<typeof CredentialService>, "exchangeCredential">;
  readonly now: () => Date;
  /** Most callers, and most refusals, remembered; default 10,000 each. */
  readonly remembered?: number;
}

/** An exchange that asks identity, once for all who present a credential at the same time. */
export function createCredentialExchange(dependencies: ExchangeDependencies): RememberingExchange {
  return new CachedExchange(dependencies);
}

/** A credential that identity is asked about. */
interface ShownCredential extends PresentedCredential {
  readonly hash: string;
  /** Empty: identity counts nothing. */
  readonly sourceAddress: string;
}

interface Flight {
  readonly answer: Promise<Caller>;
  readonly changes: CredentialChange[];
}

class CachedExchange implements RememberingExchange {
  readonly #client: ExchangeDependencies["client"];
  readonly #now: () => Date;
  readonly #callers: ExchangedCallers;
  readonly #flights = new Map<string, Flight>();
  readonly #listeners = new Set<(change: CredentialChange) => void>();
  readonly #circuit = new IdentityCircuit();

  constructor({ client, now, remembered: max = 10_000 }: ExchangeDependencies) {
    this.#client = client;
    this.#now = now;
    this.#callers = new ExchangedCallers({ max, now });
  }

  get isRefusing(): boolean {
    return this.#circuit.isOpen;
  }

  async exchange(credential: PresentedCredential, source?: CredentialSource): Promise<Caller> {
    const hash = hashOf(credential);
    const known = this.#callers.find(hash);
    if (known && this.#remainingMs(known) > renewBeforeMs) return known;
    // Without the source: what was good goes on working, whatever else comes from there.
    if (known || !source) return this.#renew({ ...credential, hash, sourceAddress: "" }, known);
    const shown = { ...credential, hash, sourceAddress: source.address() };
    // Another call may have got the answer while the guard had this one wait.
    return source.guard(async () => this.#callers.find(hash) ?? (await this.#renew(shown, undefined)));
  }

  known(credential: PresentedCredential): Caller | undefined {
    const caller = this.#callers.find(hashOf(credential));
    return caller && this.#remainingMs(caller) > 0 ? caller : undefined;
  }

  evict(change: CredentialChange): void {
    this.#callers.forget(change);
    for (const flight of this.#flights.values()) flight.changes.push(change);
    for (const listener of this.#listeners) listener(change);
  }

  onEvict(listener: (change: CredentialChange) => void): { close(): void } {
    this.#listeners.add(listener);
    return { close: () => void this.#listeners.delete(listener) };
  }

  async #renew(shown: ShownCredential, known: Caller | undefined): Promise<Caller> {
    const { hash } = shown;
    const refused = this.#callers.refusal(hash);
    if (refused) throw refused;
    try {
      return await this.#askOnce(shown);
    } catch (error) {
      const failure = ConnectError.from(error, Code.Unavailable);
      if (isRefusal(failure)) this.#callers.rememberRefusal(hash, failure);
      // Identity away is no reason to refuse a context that still holds.
      else if (known && this.#callers.find(hash) && this.#remainingMs(known) > 0) return known;
      throw presentable(failure);
    }
  }

  #askOnce(shown: ShownCredential): Promise<Caller> {
    // Identity may reject one source and not another.
    const key = `${shown.hash} ${shown.sourceAddress}`;
    const underWay = this.#flights.get(key);
    if (underWay) return underWay.answer;
    const changes: CredentialChange[] = [];
    const answer = this.#ask(shown, changes).finally(() => this.#flights.delete(key));
    this.#flights.set(key, { answer, changes });
    return answer;
  }

  async #ask({ hash, ...credential }: ShownCredential, changes: CredentialChange[]): Promise<Caller> {
    const paired = credential.bearer !== "" && credential.apiKey !== "";
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      changes.length = 0;
      const request = () => this.#client.exchangeCredential(credential, { timeoutMs: exchangeTimeoutMs });
      const caller = callerFrom(await this.#circuit.run(request));
      // A change that arrived meanwhile may or may not be in the answer: only asking again tells.
      if (changes.some((change) => concerns(change, { caller, paired }))) continue;
      this.#callers.remember(hash, { caller, paired });
      return caller;
    }
    throw refusal("IDENTITY_UNAVAILABLE");
  }

  #remainingMs({ expiresAt }: Caller): number {
    return expiresAt.getTime() - this.#now().getTime();
  }
}

/** Identity has judged the credential; whatever else it answers says nothing about that. */
function isRefusal(failure: ConnectError): boolean {
  return failure.code === Code.Unauthenticated || isSuspension(failure);
}

/** Identity's refusals pass. How identity failed is for the log alone, except that its database is away. */
function presentable(failure: ConnectError): ConnectError {
  if (isRefusal(failure) || retryAfterMs(failure) !== undefined) return failure;
  const isStoreAway = failure.findDetails(ErrorInfoSchema).some(({ reason }) => reason === "STORE_UNAVAILABLE");
  return refusal(isStoreAway ? "STORE_UNAVAILABLE" : "IDENTITY_UNAVAILABLE", failure);
}

/** The credential itself is never kept; the length keeps ("a", "bc") and ("ab", "c") apart. */
function hashOf({ bearer, apiKey }: PresentedCredential): string {
  return hashText("sha256", `${bearer.length} ${bearer}${apiKey}`, "base64");
}

function callerFrom({ signedContext, signedContexts, caller }: ExchangeCredentialResponse): Caller {
  if (!caller?.expiresAt) throw new ConnectError("identity answered without a caller", Code.Internal);
  return {
    organisationId: caller.organisationId,
    ...(caller.memberId === undefined ? {} : { memberId: caller.memberId }),
    permissions: new Set(caller.permissions),
    credentialId: caller.credentialId,
    ...(caller.sessionId === undefined ? {} : { sessionId: caller.sessionId }),
    expiresAt: timestampDate(caller.expiresAt),
    signedContext,
    ...(Object.keys(signedContexts).length === 0 ? {} : { signedContexts }),
  };
}
