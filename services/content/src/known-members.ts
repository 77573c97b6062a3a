import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { answerOfIdentity } from "./answer-of-identity.ts";

/** Time that identity has for its answer, ms. */
const timeoutMs = 3_000;

/** An id that the caller gave is no member's in the organisation. */
export class MemberNotFoundError extends NotFoundError {
  override name = "MemberNotFoundError";
}

/**
 * Asks identity on behalf of the caller whether an id is a member's. Identity says no more than that, so the caller
 * needs no permission.
 */
export class KnownMembers {
  readonly #identity: () => Transport;
  #members: Client<typeof MemberService> | undefined;

  /** `identity` is called at the first lookup. */
  constructor(identity: () => Transport) {
    this.#identity = identity;
  }

  /**
   * Without an id, identity is not asked.
   * @throws MemberNotFoundError if the id is no member's in the caller's organisation, and what identity refuses
   */
  async assertKnown(caller: ForwardedCaller, memberId: string | undefined): Promise<void> {
    if (memberId === undefined) return;
    this.#members ??= createClient(MemberService, this.#identity());
    const options = { headers: credentialHeaders(caller, "identity"), timeoutMs: timeoutMs };
    const { memberIds } = await answerOfIdentity(this.#members.checkMembers({ memberIds: [memberId] }, options));
    if (!memberIds.includes(memberId.toLowerCase())) throw new MemberNotFoundError(memberId);
  }
}
