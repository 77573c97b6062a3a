import type { Caller, CredentialExchange } from "@aiplatform/caller-identity";
import { credentialHeaders } from "@aiplatform/caller-identity";
import type { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { nameRequest, type RequestName } from "@aiplatform/service-host";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import type { PassedIdentity } from "./headers.ts";

/** What a caller's requests go on to the hub with. */
export interface NotebookPass extends PassedIdentity {
  /** The caller's name at the hub. */
  readonly username: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/** So long before its end a pass is no longer used: the request has to arrive, too. */
const renewBeforeMs = 30_000;
/** A pass that a hub does not take is thrown away, but not more often than this. */
const minAgeMs = 10_000;
const issueTimeoutMs = 8_000;
const maxPasses = 10_000;

/** Passes of the callers seen last. */
export class NotebookPasses {
  readonly #client: Pick<Client<typeof NotebookSessionService>, "issueNotebookPass">;
  readonly #now: () => Date;
  readonly #passes = new LRUCache<string, { pass: Promise<NotebookPass>; organisationId: string }>({ max: maxPasses });

  constructor(o: {
    client: Pick<Client<typeof NotebookSessionService>, "issueNotebookPass">;
    exchange: Pick<CredentialExchange, "onEvict">;
    now: () => Date;
  }) {
    this.#client = o.client;
    this.#now = o.now;
    o.exchange.onEvict(({ organisationId }) => {
      for (const [key, entry] of this.#passes.entries()) {
        if (entry.organisationId === organisationId) this.#passes.delete(key);
      }
    });
  }

  /** The caller's pass, issued when there is none that lasts. @throws ConnectError as IssueNotebookPass does */
  async of(caller: Caller, request: RequestName): Promise<NotebookPass> {
    const key = keyOf(caller);
    const known = this.#passes.get(key);
    const pass = await known?.pass.catch(() => undefined);
    if (pass && pass.expiresAt.getTime() - this.#now().getTime() > renewBeforeMs) return pass;
    const entry = this.#passes.peek(key);
    // Another request may have begun meanwhile; one pass serves both.
    if (entry && entry !== known) return await entry.pass;
    const issued = this.#issue(caller, request);
    this.#passes.set(key, { pass: issued, organisationId: caller.organisationId });
    issued.catch(() => {
      if (this.#passes.peek(key)?.pass === issued) this.#passes.delete(key);
    });
    return await issued;
  }

  /** The hub would not take the pass: the next request gets a new one, unless this one is new itself. */
  doubt(caller: Caller, { issuedAt }: NotebookPass): void {
    if (this.#now().getTime() - issuedAt.getTime() > minAgeMs) this.#passes.delete(keyOf(caller));
  }

  async #issue(caller: Caller, request: RequestName): Promise<NotebookPass> {
    const issuedAt = this.#now();
    const headers = credentialHeaders(caller, "identity");
    nameRequest(headers, request);
    const answer = await this.#client.issueNotebookPass({}, { headers, timeoutMs: issueTimeoutMs });
    const { username, hubToken, signedIdentity } = answer;
    const expiresAt = answer.expiresAt ? timestampDate(answer.expiresAt) : issuedAt;
    return { username, hubToken, signedIdentity, issuedAt, expiresAt };
  }
}

function keyOf({ organisationId, memberId = "", credentialId }: Caller): string {
  return JSON.stringify([organisationId, memberId, credentialId]);
}
