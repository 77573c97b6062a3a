import { LRUCache } from "lru-cache";
import type { QuotaLimits } from "./quota-table.ts";

/** How long limits are remembered, ms. A replica that does not hear of a change goes by the former limits for so long. */
const rememberedMs = 5_000;
/** Organisations at most. */
const maxRemembered = 10_000;

/**
 * Limits that were read a moment ago, for what is far from its limit. Reading them in each transaction that adds something made it a
 * fifth longer (`services/content/bench/quota-admission.bench.ts`).
 */
export class RememberedLimits {
  readonly #limits: LRUCache<string, { limits: QuotaLimits | undefined }>;
  /** Organisations whose limits have changed a moment ago. Another replica may be about to store them still. */
  readonly #changed: LRUCache<string, true>;

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    const bounds = { max: maxRemembered, ttl: rememberedMs, ttlResolution: 0, perf: { now } };
    this.#limits = new LRUCache(bounds);
    this.#changed = new LRUCache(bounds);
  }

  /** What is remembered, or what `read` answers. */
  async find(organisationId: string, read: () => Promise<QuotaLimits | undefined>): Promise<QuotaLimits | undefined> {
    const remembered = this.#limits.get(organisationId);
    if (remembered) return remembered.limits;
    const limits = await read();
    if (!this.#changed.has(organisationId)) this.#limits.set(organisationId, { limits });
    return limits;
  }

  /** Has the limits of an organisation read each time for a moment. */
  changed(organisationId: string): void {
    this.#changed.set(organisationId, true);
    this.#limits.delete(organisationId);
  }
}
