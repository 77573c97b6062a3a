import type { ThingRef } from "@aiplatform/service-kit/lineage";
import { followLineage } from "./follow-lineage.ts";
import { type HopDependencies, hopsOf, modelVersionsOfPipeline } from "./hops.ts";
import { type Lineage, type LineageBounds, maxThings } from "./lineage.ts";

/** Whose uses are looked for: a thing, or all runs of a pipeline. */
export type UsedThing = { of: ThingRef } | { pipelineId: string };

/** Steps at most. */
const maxDepth = 20;

const bounds: LineageBounds = { directions: ["downstream"], depth: maxDepth, limit: maxThings, mayRead: () => true };

/** What was made of a thing; the thing itself is not there, and need not be. @throws what the services say that keep parts of it */
export async function findUses(
  dependencies: HopDependencies,
  organisationId: string,
  used: UsedThing,
): Promise<Lineage> {
  const hops = hopsOf(dependencies);
  if ("of" in used) {
    const start = { thing: { ...used.of, state: "", sources: [] }, distance: 0 };
    const { found, ...rest } = await followLineage(hops, organisationId, [start], bounds);
    return { ...rest, found: found.slice(1) };
  }
  const wanted = { organisationId, pipelineId: used.pipelineId, limit: maxThings };
  const { things, total } = await modelVersionsOfPipeline(dependencies, wanted);
  const starts = things.map((thing) => ({ thing, distance: 1 }));
  const lineage = await followLineage(hops, organisationId, starts, bounds);
  return { ...lineage, leftOut: lineage.leftOut + total - things.length };
}
