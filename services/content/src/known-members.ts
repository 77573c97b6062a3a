import { type Caller, credentialHeaders } from "@aiplatform/caller-identity";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { answerOfIdentity } from "./answer-of-identity.ts";

/** Time that identity has for its answer, ms. */
const patienceMs = 3_000;

/** Somebody who is named is no member of the organisation. */
export class MemberNotFoundError extends Error {
  override name = "MemberNotFoundError";
  readonly memberId: string;
  constructor(memberId: string) {
    super("Not found");
    this.memberId = memberId;
  }
}

/** Who is a member, as identity says on behalf of whoever asks. It says no more than that, so nothing need be permitted. */
export class KnownMembers {
  readonly #identity: () => Transport;
  #members: Client<typeof MemberService> | undefined;

  /** `identity` is asked for once somebody is looked up. */
  constructor(identity: () => Transport) {
    this.#identity = identity;
  }

  /**
   * Rejects with MemberNotFoundError where the id is nobody's in the caller's organisation, and as identity does. Nobody is
   * asked when no id is given.
   */
  async assertKnown(caller: Pick<Caller, "signedContext">, memberId: string | undefined): Promise<void> {
    if (memberId === undefined) return;
    this.#members ??= createClient(MemberService, this.#identity());
    const options = { headers: credentialHeaders(caller), timeoutMs: patienceMs };
    const { memberIds } = await answerOfIdentity(this.#members.checkMembers({ memberIds: [memberId] }, options));
    if (!memberIds.includes(memberId.toLowerCase())) throw new MemberNotFoundError(memberId);
  }
}
