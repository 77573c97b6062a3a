import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { DataKey, DataKeyStore } from "./data-key-store.ts";
import { keyIdOf, open, type SealingKey, seal, UnsealError } from "./envelope.ts";
import type { KeyRing } from "./key-ring.ts";

/** Where a secret belongs. What was sealed for one place opens at no other. */
export interface SecretPlace {
  organisationId: string;
  recordId: string;
  /** Such as `tokens`. */
  purpose: string;
}

/** The keys that were set up do not fit what is kept: starting would only hide that. */
export class SecretsKeyError extends Error {
  override name = "SecretsKeyError";
}

export interface SealedSecretsDependencies {
  ring: KeyRing;
  dataKeys: DataKeyStore;
  clock: () => Date;
  newId: () => string;
}

/** Unwrapped data keys in the cache; some 100 bytes each. */
const maxRemembered = 1_000;
/** After this, ms, the data key of an organisation that was deleted opens nothing in any process. */
const rememberedMs = 10 * 60_000;
/** Data key of no organisation, made at first start: without it a wrong ring would show only at the first secret. */
const installation = { organisationId: "installation", generation: 0 };

/**
 * Secrets that can be read again, encrypted under a data key of their organisation, which is itself kept only wrapped under a
 * key-encryption key.
 */
export class SealedSecrets {
  readonly #ring: ReadonlyMap<string, SealingKey>;
  readonly #current: SealingKey | undefined;
  readonly #o: SealedSecretsDependencies;
  readonly #remembered = new LRUCache<string, Uint8Array>({ max: maxRemembered, ttl: rememberedMs });

  constructor(o: SealedSecretsDependencies) {
    this.#o = o;
    this.#ring = new Map(o.ring.map((entry) => [entry.id, entry]));
    this.#current = o.ring[0];
  }

  /** @throws SecretsKeyError unless the ring opens everything that is kept. */
  async assertFits(): Promise<void> {
    if (this.#current && !(await this.#o.dataKeys.findNewest(installation.organisationId))) {
      await this.#make(installation);
    }
    for (const sample of await this.#o.dataKeys.samples()) {
      const { wrappedBy } = sample;
      await this.#unwrap(sample).catch((cause: unknown) => {
        if (cause instanceof SecretsKeyError) throw cause;
        const says = `SECRETS_KEYS has another key ${wrappedBy} than the one in use; give it the value that it had`;
        throw new SecretsKeyError(says, { cause });
      });
    }
  }

  /** Wraps every data key under the ring's first key, unless another process just has. Answers how many. */
  async rewrapAll(signal?: AbortSignal): Promise<number> {
    const current = this.#current;
    if (!current) return 0;
    for (let count = 0; ; ) {
      const others = await this.#o.dataKeys.findWrappedByOthers(current.id);
      if (others.length === 0) return count;
      for (const dataKey of others) {
        if (signal?.aborted) return count;
        const wrapped = await seal(await this.#unwrap(dataKey), current, placeOfKey(dataKey));
        await this.#o.dataKeys.rewrap(dataKey, current.id, wrapped);
        count++;
      }
    }
  }

  /** Never within a transaction that reads what it has sealed: the data key is kept at once, whatever becomes of it. */
  async seal(plain: Uint8Array, place: SecretPlace): Promise<string> {
    const { dataKeys } = this.#o;
    const { organisationId } = place;
    const dataKey =
      (await dataKeys.findNewest(organisationId)) ?? (await this.#make({ organisationId, generation: 1 }));
    return seal(plain, { id: dataKey.id, key: await this.#keyOf(dataKey) }, partsOf(place));
  }

  /** @throws UnsealError when it was sealed for another place or has been changed. */
  async open(sealed: string, place: SecretPlace): Promise<Uint8Array> {
    const id = keyIdOf(sealed);
    const key =
      this.#remembered.get(memoryKey(place.organisationId, id)) ?? (await this.#find(place.organisationId, id));
    return open(sealed, { key }, partsOf(place));
  }

  async #find(organisationId: string, id: string): Promise<Uint8Array> {
    const dataKey = await this.#o.dataKeys.find(organisationId, id);
    if (!dataKey) throw new UnsealError();
    return this.#keyOf(dataKey);
  }

  async #keyOf(dataKey: DataKey): Promise<Uint8Array> {
    const name = memoryKey(dataKey.organisationId, dataKey.id);
    const key = this.#remembered.get(name) ?? (await this.#unwrap(dataKey));
    this.#remembered.set(name, key);
    return key;
  }

  async #make({ organisationId, generation }: Pick<DataKey, "organisationId" | "generation">): Promise<DataKey> {
    const { dataKeys, newId, clock } = this.#o;
    if (!this.#current) throw new SecretsKeyError("SECRETS_KEYS is not set");
    const id = newId();
    const wrapped = await seal(randomBytes(32), this.#current, placeOfKey({ organisationId, id }));
    const dataKey = { id, organisationId, generation, wrappedBy: this.#current.id, wrapped };
    if (await dataKeys.insert(dataKey, clock())) return dataKey;
    // Another process was faster; its key is the one that is stored.
    const kept = await dataKeys.findNewest(organisationId);
    if (!kept) throw new SecretsKeyError("a data key was stored and then removed");
    return kept;
  }

  async #unwrap(dataKey: DataKey): Promise<Uint8Array> {
    const wrapping = this.#ring.get(dataKey.wrappedBy);
    if (!wrapping) {
      const says = `SECRETS_KEYS lacks the key ${dataKey.wrappedBy}, which is in use; add it again, after the others`;
      throw new SecretsKeyError(says);
    }
    return open(dataKey.wrapped, wrapping, placeOfKey(dataKey));
  }
}

const memoryKey = (organisationId: string, id: string) => `${organisationId} ${id}`;
const placeOfKey = ({ organisationId, id }: Pick<DataKey, "organisationId" | "id">) => ["data_key", organisationId, id];
const partsOf = ({ organisationId, recordId, purpose }: SecretPlace) => ["secret", organisationId, recordId, purpose];
