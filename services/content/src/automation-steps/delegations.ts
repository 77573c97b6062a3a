import { credentialHeaders, delegationCredential, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DelegationService } from "@aiplatform/contract/aiplatform/identity/v1/delegations";
import type { Logger } from "@aiplatform/service-host";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { answerOfIdentity } from "../answer-of-identity.ts";

/** Time that identity has for one answer, ms. */
const timeoutMs = 3_000;

/** The installation has no secret under which steps could act. */
export class DelegationsOffError extends Error {
  override name = "DelegationsOffError";
  constructor() {
    super("Steps and triggers that need permissions are not set up here: DELEGATION_SECRET is not set");
  }
}

/** A delegation, and what may act under it. */
export interface GivenDelegation {
  /** Undefined: nothing was delegated. */
  delegationId: string | undefined;
  /** SHA-256 in hex. Undefined: the delegation is bound to nothing, as older ones are. */
  digest: string | undefined;
}

/** A step or trigger needs a delegation to act under, and its version has none. */
export class DelegationMissingError extends Error {
  override name = "DelegationMissingError";
  constructor() {
    super("This version has no delegation: publish it again");
  }
}

export interface DelegationsDependencies {
  identity: () => Transport;
  newId: () => string;
  logger: Pick<Logger, "warn">;
}

/** What publishers let automations do in their names, kept by identity. */
export class Delegations {
  readonly #identity: () => Transport;
  readonly #secret: string | undefined;
  readonly #newId: () => string;
  readonly #logger: Pick<Logger, "warn">;
  #client: Client<typeof DelegationService> | undefined;

  /** `identity` is asked for once something is delegated. */
  constructor({ identity, newId, logger }: DelegationsDependencies, secret: string | undefined) {
    this.#identity = identity;
    this.#secret = secret;
    this.#newId = newId;
    this.#logger = logger;
  }

  /**
   * Lets the permissions be used in the caller's name by what has the digest; gives nothing when there are none to use.
   * @throws DelegationsOffError, and what identity refuses: PERMISSION_DENIED names what the caller lacks
   */
  async give(
    caller: ForwardedCaller,
    { purpose, permissionIds, digest }: { purpose: string; permissionIds: readonly string[]; digest: string },
  ): Promise<GivenDelegation> {
    if (permissionIds.length === 0) return { delegationId: undefined, digest: undefined };
    if (this.#secret === undefined) throw new DelegationsOffError();
    const delegationId = this.#newId();
    const request = { delegationId, purpose, permissionIds: [...permissionIds], digest };
    const { delegation } = await answerOfIdentity(this.#service().createDelegation(request, optionsOf(caller)));
    // An identity of an older version does not know of digests, and would not take a credential that names one.
    return { delegationId, digest: delegation?.digest === digest ? digest : undefined };
  }

  /**
   * Ends a delegation that is no longer used. If ending it fails, the delegation stays, but no step uses it. Answers
   * whether it has ended.
   */
  async end(caller: ForwardedCaller, delegationId: string | undefined): Promise<boolean> {
    if (delegationId === undefined) return true;
    try {
      await this.#service().revokeDelegation({ delegationId }, optionsOf(caller));
      return true;
    } catch (error) {
      this.#logger.warn({ err: error, delegationId }, "failed to end a delegation that is no longer used");
      return false;
    }
  }

  /** Headers under which a step acts for its publisher. @throws DelegationMissingError */
  headers(organisationId: string, { delegationId, digest }: GivenDelegation): Headers {
    if (delegationId === undefined || this.#secret === undefined) throw new DelegationMissingError();
    const bearer = delegationCredential(this.#secret, { organisationId, delegationId, digest });
    return new Headers({ authorization: `Bearer ${bearer}` });
  }

  #service(): Client<typeof DelegationService> {
    this.#client ??= createClient(DelegationService, this.#identity());
    return this.#client;
  }
}

function optionsOf(caller: ForwardedCaller) {
  return { headers: credentialHeaders(caller, "identity"), timeoutMs: timeoutMs };
}
