import {
  deletedState,
  type LineageKind,
  lineageKinds,
  sourceKinds,
  type Thing,
  type ThingRef,
} from "@aiplatform/service-kit/lineage";
import { type FoundThing, type Hops, type Lineage, type LineageBounds, maxThings } from "./lineage.ts";

/**
 * What the things at the start were made of, and what was made of them, step by step. Each step goes on in its direction alone. A source that is gone
 * is answered as deleted, since what was made of it names it.
 */
export async function followLineage(
  hops: Hops,
  organisationId: string,
  starts: readonly FoundThing[],
  bounds: LineageBounds,
): Promise<Lineage> {
  const walk = new LineageWalk(hops, organisationId, starts, bounds);
  const first = starts.map(({ thing }) => thing);
  if (bounds.directions.includes("upstream")) await walk.go(first, (things, isLast) => walk.upstream(things, isLast));
  if (bounds.directions.includes("downstream")) {
    await walk.go(first, (things, isLast) => walk.downstream(things, isLast));
  }
  return walk.lineage();
}

/** One question: what it has found by now. */
class LineageWalk {
  readonly #hops: Hops;
  readonly #organisationId: string;
  readonly #bounds: LineageBounds;
  readonly #found: Map<string, FoundThing>;
  readonly #hidden: Readonly<Record<LineageKind, Set<string>>>;
  /** Hidden ones that were counted alone. */
  readonly #uncounted = new Map<LineageKind, number>();
  /** Steps that the things at the start are away already. */
  readonly #startDistance: number;
  #leftOut = 0;

  constructor(hops: Hops, organisationId: string, starts: readonly FoundThing[], bounds: LineageBounds) {
    this.#hops = hops;
    this.#organisationId = organisationId;
    this.#bounds = bounds;
    this.#startDistance = starts[0]?.distance ?? 0;
    this.#found = new Map(starts.map((each) => [each.thing.id, each]));
    this.#hidden = {
      dataset_version: new Set(),
      dataset_embedding: new Set(),
      run: new Set(),
      model_version: new Set(),
      deployment: new Set(),
    };
  }

  /** Takes steps until nothing new is found. The one after the last allowed step only counts. */
  async go(first: readonly Thing[], step: (things: readonly Thing[], isLast: boolean) => Promise<Thing[]>) {
    let things = first;
    for (let distance = 1; things.length > 0; distance += 1) {
      const found = await step(things, distance > this.#bounds.depth);
      for (const thing of found) this.#found.set(thing.id, { thing, distance: this.#startDistance + distance });
      things = found;
    }
  }

  /** What the things were made of. */
  async upstream(things: readonly Thing[], isLast: boolean): Promise<Thing[]> {
    const refs = new Map(things.flatMap(({ sources }) => sources.map((ref) => [ref.id, ref] as const)));
    const unknown = [...refs.values()].filter(({ id, kind }) => !this.#found.has(id) && !this.#hidden[kind].has(id));
    for (const { kind, id } of unknown) if (!this.#bounds.mayRead(kind)) this.#hidden[kind].add(id);
    const readable = unknown.filter(({ kind }) => this.#bounds.mayRead(kind));
    const followed = isLast ? [] : readable.slice(0, this.#room());
    this.#leftOut += readable.length - followed.length;
    const ofKinds = lineageKinds.map((kind) => this.#named(kind, followed));
    return (await Promise.all(ofKinds)).flat();
  }

  /** What was made of the things. */
  async downstream(things: readonly Thing[], isLast: boolean): Promise<Thing[]> {
    const found: Thing[] = [];
    for (const kind of lineageKinds) {
      const sourceIds = things.filter((thing) => thing.kind === sourceKinds[kind]).map(({ id }) => id);
      if (sourceIds.length === 0) continue;
      if (!this.#bounds.mayRead(kind)) await this.#hide(kind, sourceIds);
      else found.push(...(await this.#derived(kind, sourceIds, isLast ? 0 : this.#room() - found.length)));
    }
    return found;
  }

  lineage(): Lineage {
    const counts = lineageKinds.map((kind) => {
      return [kind, this.#hidden[kind].size + (this.#uncounted.get(kind) ?? 0)] as const;
    });
    return {
      found: [...this.#found.values()].sort((one, other) => one.distance - other.distance),
      hidden: new Map(counts.filter(([, count]) => count > 0)),
      leftOut: this.#leftOut,
    };
  }

  async #named(kind: LineageKind, refs: readonly ThingRef[]): Promise<Thing[]> {
    const ids = refs.filter((ref) => ref.kind === kind).map(({ id }) => id);
    if (ids.length === 0) return [];
    const none = { sourceIds: [], knownIds: [], limit: 0 };
    const { things } = await this.#hops[kind]({ organisationId: this.#organisationId, ids, ...none });
    const there = new Map(things.map((thing) => [thing.id, thing]));
    return ids.map((id) => there.get(id) ?? { kind, id, state: deletedState, sources: [] });
  }

  async #derived(kind: LineageKind, sourceIds: string[], room: number): Promise<Thing[]> {
    const knownIds = [...this.#found.values()].filter(({ thing }) => thing.kind === kind).map(({ thing }) => thing.id);
    const limit = Math.max(0, room);
    const search = { organisationId: this.#organisationId, ids: [], sourceIds, knownIds, limit };
    const { things, total } = await this.#hops[kind](search);
    this.#leftOut += total - things.length;
    return things;
  }

  async #hide(kind: LineageKind, sourceIds: string[]): Promise<void> {
    const hidden = this.#hidden[kind];
    const limit = Math.max(0, maxThings - hidden.size);
    const search = { organisationId: this.#organisationId, ids: [], sourceIds, knownIds: [...hidden], limit };
    const { things, total } = await this.#hops[kind](search);
    for (const { id } of things) hidden.add(id);
    this.#uncounted.set(kind, (this.#uncounted.get(kind) ?? 0) + total - things.length);
  }

  #room(): number {
    return Math.max(0, this.#bounds.limit - this.#found.size);
  }
}
