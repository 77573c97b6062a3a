import type { Logger } from "@aiplatform/service-host";

/** A kind of refusal that is counted by itself. */
export interface CountedRefusal {
  readonly reason: string;
  /** 429 or 503. */
  readonly status: number;
  /** Whose request it was, where that is known. */
  readonly organisationId?: string;
}

const everyMs = 10_000;
/** Kinds that are told apart in one interval; organisations beyond that are counted together. */
const maxKinds = 100;

/** Writes one line for all refusals of a kind within ten seconds: a line for each would cost more than the refusal. */
export class RefusalLog {
  readonly #logger: Pick<Logger, "info" | "warn">;
  readonly #counts = new Map<string, { refusal: CountedRefusal; requests: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(logger: Pick<Logger, "info" | "warn">) {
    this.#logger = logger;
    this.#timer = setInterval(() => this.#write(), everyMs).unref();
  }

  add(refusal: CountedRefusal): void {
    const { reason, status, organisationId = "" } = refusal;
    const key = `${reason} ${organisationId}`;
    const count = this.#counts.get(key);
    if (count) count.requests += 1;
    else if (this.#counts.size < maxKinds || organisationId === "") this.#counts.set(key, { refusal, requests: 1 });
    else this.add({ reason, status });
  }

  /** Writes what is left. */
  close(): void {
    clearInterval(this.#timer);
    this.#write();
  }

  #write(): void {
    for (const { refusal, requests } of this.#counts.values()) {
      const { reason, status, organisationId } = refusal;
      const line = {
        reason,
        status,
        requests,
        ...(organisationId === undefined ? {} : { organisation_id: organisationId }),
      };
      this.#logger[status >= 500 ? "warn" : "info"](line, "requests refused");
    }
    this.#counts.clear();
  }
}
