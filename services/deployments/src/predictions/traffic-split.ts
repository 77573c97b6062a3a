import type { Deployment } from "../deployments/deployment.ts";

/** Which version answers which share of the predictions now, percent. Adds up to 100, or is empty where nothing serves. */
export function splitTraffic({
  currentVersionId,
  canary,
  endpoints,
}: Pick<Deployment, "currentVersionId" | "canary" | "endpoints">): Map<string, number> {
  const isReady = (versionId: string | undefined) => endpoints.some((endpoint) => endpoint.versionId === versionId);
  const triedPercent = canary && isReady(canary.versionId) ? canary.percent : 0;
  const shares = new Map<string, number>();
  if (currentVersionId !== undefined && isReady(currentVersionId)) shares.set(currentVersionId, 100 - triedPercent);
  // A canary is not to answer everything because what it is tried beside has failed.
  if (canary && triedPercent > 0 && shares.size > 0) shares.set(canary.versionId, triedPercent);
  return shares;
}

/** A ready instance and its weight among the others. */
export interface WeightedEndpoint {
  versionId: string;
  url: string;
  weight: number;
}

/** The instances that answer, so weighted that each version gets its share whatever the number of its instances. */
export function weightedEndpoints(
  deployment: Pick<Deployment, "currentVersionId" | "canary" | "endpoints">,
): WeightedEndpoint[] {
  const shares = [...splitTraffic(deployment)];
  const ofVersion = (versionId: string) => deployment.endpoints.filter((endpoint) => endpoint.versionId === versionId);
  // Divides evenly among up to ten instances, and closely enough among more.
  const perPercent = 2_520;
  return shares.flatMap(([versionId, percent]) => {
    const instances = ofVersion(versionId);
    const weight = Math.max(1, Math.round((percent * perPercent) / instances.length));
    return instances.map(({ url }) => ({ versionId, url, weight }));
  });
}
