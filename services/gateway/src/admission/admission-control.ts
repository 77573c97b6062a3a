import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Caller } from "@aiplatform/caller-identity";
import type { RequestName } from "@aiplatform/service-host";
import type { DescMethod } from "@bufbuild/protobuf";
import { requestNameOf } from "../edge/request-name.ts";
import type { UpgradeHandler } from "../edge/server.ts";
import type { Source } from "../edge/source-address.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Demand } from "./permits.ts";
import type { RateLimitHeaderWriter } from "./rate-limit-headers.ts";
import type { Release, RequestLimiter } from "./request-limiter.ts";
import type { RateLimitState } from "./token-buckets.ts";

/** What a request asks of admission. Made once for all requests of a kind. */
export interface AdmissionTarget {
  /** Path as it is declared: one of few. Empty where none is. */
  readonly path: string;
  /** The RPC whose permission is needed. Undefined for one that only a newer service knows: it checks that itself. */
  readonly method: DescMethod | undefined;
  /** Whether a request without a credential is admitted, too. */
  readonly isPublic: boolean;
  /** Whether `Api-key` counts as a credential. */
  readonly takesApiKey: boolean;
  /** Whether a browser's session counts as a credential, where no other is shown. */
  readonly takesSession: boolean;
  /** What it takes while it is under way. */
  readonly demand: Demand;
}

/**
 * A request that passed authentication, the limits and the permission check. Only admission makes one, and what an entry
 * point does begins with one.
 */
class AdmittedRequest<C extends Caller | undefined = Caller | undefined> {
  readonly caller: C;
  readonly #release: Release;

  constructor(caller: C, release: Release) {
    this.caller = caller;
    this.#release = release;
  }

  static end(admitted: AdmittedRequest, isUnavailable: boolean): void {
    admitted.#release(isUnavailable);
  }
}

export type { AdmittedRequest };

/** Admits what a request asks for besides: with its credential, and by the same rules as a request of its own. */
export type AdmitPart<C extends Caller | undefined> = (target: AdmissionTarget) => Promise<AdmittedPart<C>>;

/** A part that was admitted. */
export interface AdmittedPart<C extends Caller | undefined> {
  readonly caller: C;
  /** Releases its permits; called exactly once. */
  readonly release: () => void;
}

/** A request that an entry point takes. `match` is what the entry point read in it. */
export interface Exchange<M> extends RequestName {
  readonly match: M;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One kind of requests, and what is done for those that are admitted. `C`: whether requests without caller are, too. */
export interface EntryPointDefinition<M, C extends Caller | undefined> {
  /** Undefined for requests of other entry points. Has no effect. */
  match(request: IncomingMessage): M | undefined;
  /** Undefined for a request that asks for nothing: OPTIONS, or a method that is not allowed. */
  target(match: M, request: IncomingMessage): AdmissionTarget | undefined;
  /** Answers a request without a target, where there are any. */
  decline?(exchange: Exchange<M>): void;
  /** Runs before admission. */
  begin?(exchange: Exchange<M>): void;
  /** Answers an admitted request. Its permits are released when the promise settles. */
  serve(exchange: Exchange<M>, admitted: AdmittedRequest<C>, admitPart: AdmitPart<C>): Promise<void>;
  /** Answers with what admission or `serve` threw. */
  fail(exchange: Exchange<M>, error: unknown): void;
  /** Whether answers say what is left of the organisation's rate. */
  readonly showsRateLimit: boolean;
  /** Whether a request that is answered 503 is not charged to the organisation's rate. */
  readonly refundsUnavailable: boolean;
}

/** The same for connections that shall become something else than HTTP. */
export interface UpgradeDefinition<M> {
  match(request: IncomingMessage): M | undefined;
  readonly target: AdmissionTarget;
  /** Runs before admission. */
  begin?(upgrade: Upgrade<M>): void;
  /** Permits are released when the promise settles. */
  serve(upgrade: Upgrade<M>, admitted: AdmittedRequest<Caller>): Promise<void>;
  fail(upgrade: Upgrade<M>, error: unknown): void;
}

export interface Upgrade<M> extends Omit<Exchange<M>, "response"> {
  readonly socket: Socket;
  readonly head: Buffer;
}

/** A kind of requests that is served behind admission. Made by an AdmissionControl alone. */
class EntryPoint {
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly #targetOf: (request: IncomingMessage) => AdmissionTarget | undefined;

  constructor(
    handle: (request: IncomingMessage, response: ServerResponse) => boolean,
    targetOf: (request: IncomingMessage) => AdmissionTarget | undefined,
  ) {
    this.#handle = handle;
    this.#targetOf = targetOf;
  }

  /** Takes a request when it is of this kind. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    return this.#handle(request, response);
  }

  /** What a request would ask of admission; undefined where it is of another kind, or asks for nothing. */
  targetOf(request: IncomingMessage): AdmissionTarget | undefined {
    return this.#targetOf(request);
  }
}

/** Connections of a kind that become something else than HTTP behind admission. Made by an AdmissionControl alone. */
class Upgrades implements UpgradeHandler {
  readonly #takes: (request: IncomingMessage) => boolean;
  readonly #upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

  constructor(
    takes: (request: IncomingMessage) => boolean,
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
  ) {
    this.#takes = takes;
    this.#upgrade = upgrade;
  }

  takesUpgrade(request: IncomingMessage): boolean {
    return this.#takes(request);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#upgrade(request, socket, head);
  }
}

export type { EntryPoint, Upgrades };

/** The way into the platform: whatever does work for a request is registered here. */
export interface AdmissionControl {
  /** For requests of known callers. */
  entryPoint<M>(definition: EntryPointDefinition<M, Caller>): EntryPoint;
  /** For requests of which some need no credential. */
  publicEntryPoint<M>(definition: EntryPointDefinition<M, Caller | undefined>): EntryPoint;
  upgrades<M>(definition: UpgradeDefinition<M>): Upgrades;
}

export interface AdmissionControlOptions {
  readonly authenticator: Pick<Authenticator, "authenticate" | "authorize">;
  readonly limiter: Pick<RequestLimiter, "acquire" | "acquireAnonymous">;
  readonly sourceOf: (request: IncomingMessage) => Source;
  readonly writeRateLimitHeaders: RateLimitHeaderWriter;
  /** Hears why a request was not admitted. */
  readonly refused?: (error: unknown) => void;
}

interface Arrival extends RequestName {
  readonly request: IncomingMessage;
  readonly target: AdmissionTarget;
  /** Where the rate limit is written. */
  readonly response?: ServerResponse | undefined;
}

type Admit<C extends Caller | undefined> = (arrival: Arrival) => Promise<AdmittedRequest<C>>;

/** Admits requests: credential, the organisation's rate, a permit, permission. For a public RPC the limits of its source. */
export function createAdmissionControl(options: AdmissionControlOptions): AdmissionControl {
  const { authenticator, limiter, sourceOf, writeRateLimitHeaders, refused } = options;

  const admitKnown: Admit<Caller> = async ({ request, target, response, ...name }) => {
    try {
      const { method, takesApiKey, takesSession } = target;
      const auth = { request, method, takesApiKey, takesSession, ...name };
      const caller = await authenticator.authenticate(auth);
      const report = response && ((state: RateLimitState) => writeRateLimitHeaders(response, state));
      const release = await limiter.acquire(caller.organisationId, timed(target.demand, request), report);
      try {
        authenticator.authorize(auth, caller);
      } catch (denied) {
        release();
        throw denied;
      }
      return new AdmittedRequest(caller, release);
    } catch (error) {
      refused?.(error);
      throw error;
    }
  };

  const admitAny: Admit<Caller | undefined> = async (arrival) => {
    const { request, target } = arrival;
    if (!target.isPublic) return admitKnown(arrival);
    try {
      const demand = timed(target.demand, request);
      return new AdmittedRequest(undefined, await limiter.acquireAnonymous(sourceOf(request).network, demand));
    } catch (error) {
      refused?.(error);
      throw error;
    }
  };

  return {
    entryPoint: (definition) => register(definition, admitKnown),
    publicEntryPoint: (definition) => register(definition, admitAny),
    upgrades: (definition) => registerUpgrades(definition, admitKnown),
  };
}

function register<M, C extends Caller | undefined>(
  definition: EntryPointDefinition<M, C>,
  admit: Admit<C>,
): EntryPoint {
  const { showsRateLimit, refundsUnavailable } = definition;
  const serve = async (exchange: Exchange<M>, target: AdmissionTarget) => {
    const { request, response, requestId, requestIdSource } = exchange;
    let admitted: AdmittedRequest<C> | undefined;
    try {
      const name = { request, requestId, requestIdSource };
      admitted = await admit({ ...name, target, response: showsRateLimit ? response : undefined });
      await definition.serve(exchange, admitted, async (part) => {
        const also = await admit({ ...name, target: part });
        return { caller: also.caller, release: () => AdmittedRequest.end(also, false) };
      });
    } catch (error) {
      definition.fail(exchange, error);
    } finally {
      if (admitted) AdmittedRequest.end(admitted, refundsUnavailable && response.statusCode === 503);
    }
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const match = definition.match(request);
    if (match === undefined) return false;
    const exchange = { match, request, response, ...requestNameOf(request) };
    definition.begin?.(exchange);
    const target = definition.target(match, request);
    if (target) void serve(exchange, target);
    else definition.decline?.(exchange);
    return true;
  };
  const targetOf = (request: IncomingMessage) => {
    const match = definition.match(request);
    return match === undefined ? undefined : definition.target(match, request);
  };
  return new EntryPoint(handle, targetOf);
}

function registerUpgrades<M>(definition: UpgradeDefinition<M>, admit: Admit<Caller>): Upgrades {
  const serve = async (upgrade: Upgrade<M>) => {
    const { request, requestId, requestIdSource } = upgrade;
    let admitted: AdmittedRequest<Caller> | undefined;
    try {
      admitted = await admit({ request, requestId, requestIdSource, target: definition.target });
      await definition.serve(upgrade, admitted);
    } catch (error) {
      definition.fail(upgrade, error);
    } finally {
      if (admitted) AdmittedRequest.end(admitted, false);
    }
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const match = definition.match(request);
    if (match === undefined || !(socket instanceof Socket)) return void socket.destroy();
    // Whatever is wrong with a connection closes it, and that is what is listened for.
    socket.on("error", () => {});
    const connecting = { match, request, socket, head, ...requestNameOf(request) };
    definition.begin?.(connecting);
    void serve(connecting);
  };
  return new Upgrades((request) => definition.match(request) !== undefined, upgrade);
}

/** A call is timed from when all of its request was there. */
function timed(demand: Demand, request: IncomingMessage): Demand {
  return typeof demand === "string" || isWhole(request) ? demand : { ...demand, arrivedAt: arrivalOf(request) };
}

function isWhole({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined);
}

function arrivalOf(request: IncomingMessage): () => number | undefined {
  let arrivedAt: number | undefined;
  request.once("end", () => {
    arrivedAt = performance.now();
  });
  return () => arrivedAt;
}
