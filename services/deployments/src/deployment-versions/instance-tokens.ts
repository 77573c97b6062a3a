import type { SealedSecrets } from "@aiplatform/sealed-secrets";
import { LRUCache } from "lru-cache";

/** The version that a token belongs to. */
interface Owner {
  organisationId: string;
  id: string;
}

interface Opened extends Owner {
  token: string;
}

/** Opened tokens in memory; some 700 bytes each. */
const maxOpened = 5_000;

/** Tokens of instances as they are stored: sealed for their version of their organisation. */
export class InstanceTokens {
  readonly #secrets: Pick<SealedSecrets, "seal" | "open">;
  readonly #storesClear: boolean;
  /** By the sealed text, which names its owner only to the key: the owner is compared as well. */
  readonly #opened = new LRUCache<string, Opened>({ max: maxOpened });

  constructor({ secrets, storesClear }: { secrets: Pick<SealedSecrets, "seal" | "open">; storesClear: boolean }) {
    this.#secrets = secrets;
    this.#storesClear = storesClear;
  }

  /** What a version's document has of its token. */
  async toStore(owner: Owner, token: string): Promise<{ token: string } | { sealed_token: string }> {
    return this.#storesClear ? { token } : { sealed_token: await this.seal(owner, token) };
  }

  seal(owner: Owner, token: string): Promise<string> {
    return this.#secrets.seal(Buffer.from(token), placeOf(owner));
  }

  /** Opened tokens stay in memory: each prediction route asks. @throws UnsealError when it is another version's. */
  async open({ organisationId, id }: Owner, sealed: string): Promise<string> {
    const known = this.#opened.get(sealed);
    if (known?.id === id && known.organisationId === organisationId) return known.token;
    const token = Buffer.from(await this.#secrets.open(sealed, placeOf({ organisationId, id }))).toString();
    this.#opened.set(sealed, { organisationId, id, token });
    return token;
  }
}

const placeOf = ({ organisationId, id }: Owner) => ({ organisationId, recordId: id, purpose: "instance token" });
