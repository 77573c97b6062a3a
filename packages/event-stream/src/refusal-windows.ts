import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { create } from "@bufbuild/protobuf";

export interface RefusalWindowsOptions {
  /** Refusals that are alike are announced together after this time, ms. */
  windowMs: number;
  /** Different refusals of one organisation that are told apart; more are counted together. */
  maxKinds: number;
}

interface Window {
  organisationId: string;
  endsAt: number;
  /** Refused since the last announcement. */
  count: number;
  last: CallRefused;
}

/** Counts refusals that are alike, so that a flood of them makes few events and each is still counted once. */
export class RefusalWindows {
  readonly #options: RefusalWindowsOptions;
  readonly #windows = new Map<string, Window>();
  readonly #kinds = new Map<string, number>();

  constructor(options: RefusalWindowsOptions) {
    this.#options = options;
  }

  /** Whether nothing was refused for a window's time. */
  get isEmpty(): boolean {
    return this.#windows.size === 0;
  }

  /** Answers what to announce now: the refusal, where none like it was announced within the window. */
  take(refused: CallRefused, now: number): CallRefused | undefined {
    const key = kindOf(refused);
    const known = this.#windows.get(key);
    if (known) return count(known, refused);
    const { organisationId } = refused;
    const kinds = this.#kinds.get(organisationId) ?? 0;
    if (kinds < this.#options.maxKinds) {
      this.#open(key, refused, now);
      return create(CallRefusedSchema, { ...refused, count: 1 });
    }
    const surplus = withoutParticulars(refused);
    const surplusKey = kindOf(surplus);
    const window = this.#windows.get(surplusKey) ?? this.#open(surplusKey, surplus, now);
    return count(window, surplus);
  }

  /** What to announce of the windows that have ended; all of them when `now` is infinite. */
  due(now: number): CallRefused[] {
    const due: CallRefused[] = [];
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now) continue;
      if (window.count > 0) {
        due.push(create(CallRefusedSchema, { ...window.last, count: window.count }));
        window.count = 0;
        window.endsAt = now + this.#options.windowMs;
      } else this.#close(key, window);
    }
    return due;
  }

  #open(key: string, refused: CallRefused, now: number): Window {
    const { organisationId } = refused;
    const window = { organisationId, endsAt: now + this.#options.windowMs, count: 0, last: refused };
    this.#windows.set(key, window);
    this.#kinds.set(organisationId, (this.#kinds.get(organisationId) ?? 0) + 1);
    return window;
  }

  #close(key: string, { organisationId }: Window): void {
    this.#windows.delete(key);
    const kinds = (this.#kinds.get(organisationId) ?? 0) - 1;
    if (kinds > 0) this.#kinds.set(organisationId, kinds);
    else this.#kinds.delete(organisationId);
  }
}

function count(window: Window, refused: CallRefused): undefined {
  window.count += 1;
  window.last = refused;
}

function kindOf(refused: CallRefused): string {
  const { organisationId, refusedBy, rpc, code, reason, memberId, credentialId, sourceAddress } = refused;
  return [organisationId, refusedBy, rpc, code, reason, memberId, credentialId, sourceAddress].join("\n");
}

/** Of an organisation with too many different refusals: who refused and with which code is all that is told apart. */
function withoutParticulars({ organisationId, refusedBy, code, refusedAt, ...of }: CallRefused): CallRefused {
  const { requestId, requestIdSource } = of;
  const known = { organisationId, refusedBy, code, requestId, requestIdSource };
  return create(CallRefusedSchema, { ...known, ...(refusedAt && { refusedAt }) });
}
