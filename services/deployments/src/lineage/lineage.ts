import type { LineageKind, LineageMatches, LineageSearch, Thing, ThingRef } from "@aiplatform/service-kit/lineage";
import { NotFoundError } from "@aiplatform/service-kit/not-found";

/** Which way lineage is followed. */
export type LineageDirection = "upstream" | "downstream";

/** How things of a kind are found, in whichever service keeps them. */
export type Hop = (search: LineageSearch) => Promise<LineageMatches<Thing>>;

/** One for each kind. */
export type Hops = Readonly<Record<LineageKind, Hop>>;

/** How far lineage is followed, and for whom. */
export interface LineageBounds {
  directions: readonly LineageDirection[];
  /** Steps at most. */
  depth: number;
  /** Things at most, those at the start included. */
  limit: number;
  mayRead: (kind: LineageKind) => boolean;
}

/** A thing, and its steps from the start. */
export interface FoundThing {
  thing: Thing;
  distance: number;
}

/** What was found. */
export interface Lineage {
  /** The nearest first. */
  found: FoundThing[];
  /** Things that the caller may not read, by kind. */
  hidden: ReadonlyMap<LineageKind, number>;
  /** Things that were found and left out. */
  leftOut: number;
}

/** Things at most that one question finds. */
export const maxThings = 500;

/** The thing does not exist, or not here. */
export class LineageStartNotFoundError extends NotFoundError {
  override name = "LineageStartNotFoundError";
}

/** The caller may not read things of the kind at the start. */
export class LineageForbiddenError extends Error {
  override name = "LineageForbiddenError";
  readonly permission: string;
  constructor(permission: string) {
    super(`Missing permission: ${permission}`);
    this.permission = permission;
  }
}

/** Pairs of things of which one was made of the other. */
export function edgesAmong(found: readonly FoundThing[]): { source: ThingRef; derived: ThingRef }[] {
  const ids = new Set(found.map(({ thing }) => thing.id));
  return found.flatMap(({ thing }) =>
    thing.sources.filter(({ id }) => ids.has(id)).map((source) => ({ source, derived: thing })),
  );
}
