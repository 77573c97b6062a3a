import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { answerOfIdentity } from "../answer-of-identity.ts";
import { RecipientNotFoundError } from "./email-draft.ts";
import type { Recipient } from "./plan-deliveries.ts";

/** Ids that identity is asked for at once. */
const maxIdsPerCall = 1_000;
/** Time that identity has for one answer, ms. */
const timeoutMs = 3_000;

/** Looks recipients up in identity, on behalf of the caller. */
export class Recipients {
  readonly #identity: () => Transport;
  #members: Client<typeof MemberService> | undefined;

  /** `identity` is called at the first lookup. */
  constructor(identity: () => Transport) {
    this.#identity = identity;
  }

  /** By id; ids of no member of the caller's organisation are left out. @throws what identity refuses */
  async resolve(caller: ForwardedCaller, memberIds: readonly string[]): Promise<Map<string, Recipient>> {
    const found = new Map<string, Recipient>();
    this.#members ??= createClient(MemberService, this.#identity());
    const wanted = [...new Set(memberIds)];
    for (let start = 0; start < wanted.length; start += maxIdsPerCall) {
      const request = { memberIds: wanted.slice(start, start + maxIdsPerCall) };
      const options = { headers: credentialHeaders(caller, "identity"), timeoutMs: timeoutMs };
      const { members } = await answerOfIdentity(this.#members.resolveMembers(request, options));
      for (const { id, displayName, email, isActive, emailOptedOut } of members)
        found.set(id, { id, displayName, email, isActive, emailOptedOut });
    }
    return found;
  }

  /** @throws RecipientNotFoundError for the first id that is no member's in the caller's organisation */
  async assertKnown(caller: ForwardedCaller, memberIds: readonly string[]): Promise<void> {
    const found = await this.resolve(caller, memberIds);
    const missing = memberIds.find((id) => !found.has(id));
    if (missing !== undefined) throw new RecipientNotFoundError(missing);
  }
}
