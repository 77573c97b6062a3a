/** An entry of a job's log that is durable. */
export interface QueuedEntry {
  /** Primary key. */
  readonly key: string;
  readonly job: string;
  /** Consecutive within the job, from 1. */
  readonly position: number;
  /** `true`: its events are published, and so are those before it. `false`: they are not. Undefined: it has none. */
  readonly published?: boolean | undefined;
}

/** What is known of a job. */
interface JobPlace<E> {
  /** All entries up to this position are published, taken or in the queue; undefined while that is not known. */
  upTo: number | undefined;
  /** The newest position that a look has published. */
  looked: number;
  /** Consecutive entries that wait until a look has shown what comes before them. */
  parked: E[];
  /** Looks that had begun when the first of them came. */
  parkedAt: number;
}

/** One look through the database. */
export interface QueueLook {
  readonly number: number;
  readonly generation: number;
}

const defaultMaxEntries = 2_048;
const defaultMaxJobs = 20_000;

/**
 * Entries on their way to the relay, each handed out only when every entry before it in its job is published or handed out.
 * Positions are consecutive, so a gap shows that another replica has written: then a look that begins later finds everything up
 * to the entry after the gap, and the queue goes on behind it. What does not fit is forgotten, and a look finds it.
 */
export class EntryQueue<E extends QueuedEntry> {
  readonly #max: { entries: number; jobs: number };
  readonly #places = new Map<string, JobPlace<E>>();
  #ready: E[] = [];
  #size = 0;
  #looks = 0;
  #generation = 0;
  #needsLook = true;

  constructor({ maxEntries = defaultMaxEntries, maxJobs = defaultMaxJobs } = {}) {
    this.#max = { entries: maxEntries, jobs: maxJobs };
  }

  /** Whether entries are known of here only by the database, or wait for a look. */
  get needsLook(): boolean {
    return this.#needsLook;
  }

  /** Takes an entry in, once it is durable and after those before it that this process knows. */
  add(entry: E): void {
    if (this.#size >= this.#max.entries || this.#places.size >= this.#max.jobs) {
      this.forget();
      return;
    }
    const { job, position, published } = entry;
    const place = this.#places.get(job) ?? { ...unknownPlace, upTo: position === 1 ? 0 : undefined, parked: [] };
    const upTo = published ? Math.max(position, place.upTo ?? 0) : place.upTo;
    if (upTo !== undefined && position <= upTo) this.#know({ ...place, upTo }, job);
    else if (upTo === position - 1) this.#enqueue({ ...place, upTo: position }, entry);
    else if (place.parked.at(-1)?.position === position - 1) this.#park(place, entry);
    // Without events there is nothing to find; the next entry that has some is the first of a gap again.
    else if (published === undefined) this.#drop(job);
    else this.#parkFirst(entry);
  }

  /** Takes out the next entries, in an order in which their events may be published. */
  take(limit: number): E[] {
    const taken: E[] = [];
    let read = 0;
    for (const entry of this.#ready) {
      if (taken.length === limit) break;
      read += 1;
      if (entry.position > (this.#places.get(entry.job)?.looked ?? 0)) taken.push(entry);
    }
    this.#ready.splice(0, read);
    this.#size -= read;
    return taken;
  }

  /** Forgets every entry: a look has to find them. */
  forget(): void {
    this.#places.clear();
    this.#ready = [];
    this.#size = 0;
    this.#generation += 1;
    this.#needsLook = true;
  }

  lookBegins(): QueueLook {
    this.#needsLook = false;
    this.#looks += 1;
    return { number: this.#looks, generation: this.#generation };
  }

  /** The look has published this entry, and all unpublished ones before it. */
  published({ generation }: QueueLook, { job, position }: Pick<E, "job" | "position">): void {
    if (generation !== this.#generation) return;
    const place = this.#places.get(job);
    if (!place && this.#places.size >= this.#max.jobs) return;
    const { upTo, ...rest } = place ?? { ...unknownPlace, parked: [] };
    const known = place === undefined ? position : upTo === undefined ? undefined : Math.max(upTo, position);
    this.#places.set(job, { ...rest, upTo: known, looked: position });
  }

  /** The look has come to its end: whatever was durable when it began is published. */
  lookEnded({ generation, number }: QueueLook): void {
    if (generation !== this.#generation) return;
    for (const [job, place] of this.#places) {
      const [first] = place.parked;
      if (first && place.parkedAt < number) this.#unpark(job, place, first);
    }
  }

  #unpark(job: string, place: JobPlace<E>, first: E): void {
    const upTo = Math.max(first.position, place.looked);
    const behind = place.parked.filter(({ position, published }) => position > upTo && published === false);
    this.#size -= place.parked.length - behind.length;
    this.#ready.push(...behind);
    this.#places.set(job, { ...place, upTo: Math.max(upTo, place.parked.at(-1)?.position ?? 0), parked: [] });
  }

  #know(place: JobPlace<E>, job: string): void {
    this.#size -= place.parked.length;
    this.#places.set(job, { ...place, parked: [] });
  }

  #enqueue(place: JobPlace<E>, entry: E): void {
    this.#places.set(entry.job, place);
    if (entry.published !== false) return;
    this.#ready.push(entry);
    this.#size += 1;
  }

  #park(place: JobPlace<E>, entry: E): void {
    place.parked.push(entry);
    this.#size += 1;
  }

  #parkFirst(entry: E): void {
    const looked = this.#places.get(entry.job)?.looked ?? 0;
    this.#drop(entry.job);
    this.#places.set(entry.job, { upTo: undefined, looked, parked: [entry], parkedAt: this.#looks });
    this.#size += 1;
    this.#needsLook = true;
  }

  #drop(job: string): void {
    this.#size -= this.#places.get(job)?.parked.length ?? 0;
    this.#places.delete(job);
  }
}

const unknownPlace = { upTo: undefined, looked: 0, parkedAt: 0 } as const;
