import { readPermissions, type ThingRef } from "@aiplatform/service-kit/lineage";
import { followLineage } from "./follow-lineage.ts";
import {
  type Hops,
  type Lineage,
  type LineageBounds,
  LineageForbiddenError,
  LineageStartNotFoundError,
} from "./lineage.ts";

/** What is asked for a caller. */
export interface LineageQuestion extends Omit<LineageBounds, "mayRead"> {
  start: ThingRef;
}

interface Asking {
  organisationId: string;
  permissions: ReadonlySet<string>;
}

/**
 * The lineage of a thing, as far as the caller may read it.
 * @throws LineageForbiddenError, LineageStartNotFoundError, and what the services say that keep parts of it
 */
export async function getLineage(
  hops: Hops,
  { organisationId, permissions }: Asking,
  { start: { kind, id }, ...bounds }: LineageQuestion,
): Promise<Lineage> {
  const permission = readPermissions[kind];
  if (!permissions.has(permission)) throw new LineageForbiddenError(permission);
  const { things } = await hops[kind]({ organisationId, ids: [id], sourceIds: [], knownIds: [], limit: 0 });
  const [thing] = things;
  if (!thing) throw new LineageStartNotFoundError(id);
  const mayRead = (each: ThingRef["kind"]) => permissions.has(readPermissions[each]);
  return await followLineage(hops, organisationId, [{ thing, distance: 0 }], { ...bounds, mayRead });
}
