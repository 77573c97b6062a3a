import type { VersionRef } from "../serving-driver.ts";

const managedBy = { "app.kubernetes.io/managed-by": "aiplatform-deployments" } as const;
const versionLabel = "aiplatform/version";
const labels = { organisationId: "aiplatform/organisation", deploymentId: "aiplatform/deployment" } as const;

/** What an object's name and labels can hold, whole. */
const idPattern = /^[a-z0-9]([a-z0-9-]{0,52}[a-z0-9])?$/;

/** Name of every object of a version, a DNS label. @throws TypeError for an id that cannot be in one */
export function nameOf({ versionId }: Pick<VersionRef, "versionId">): string {
  return `serving-${checked(versionId)}`;
}

/** The labels that say whose an object is. @throws TypeError for an id that cannot be in one */
export function labelsOf(ref: VersionRef): Record<string, string> {
  return {
    ...managedBy,
    "app.kubernetes.io/name": "serving",
    [labels.organisationId]: checked(ref.organisationId),
    [labels.deploymentId]: checked(ref.deploymentId),
    [versionLabel]: checked(ref.versionId),
  };
}

/** What picks the pods of a version, and nothing else's; must never change for a version. */
export function podLabelsOf({ versionId }: Pick<VersionRef, "versionId">): Record<string, string> {
  return { ...managedBy, [versionLabel]: checked(versionId) };
}

/** Labels as a query has them. */
export function selectorOf(selected: Readonly<Record<string, string>>): string {
  return Object.entries(selected)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
}

/** What everything has that this driver made. */
export const ownLabels: Readonly<Record<string, string>> = managedBy;

/** Picks everything that this driver made. */
export const ownSelector: string = selectorOf(ownLabels);

/** The version that an object is of; undefined for one that is not ours. */
export function refOf(object: { metadata?: { labels?: Record<string, string> } }): VersionRef | undefined {
  const found = object.metadata?.labels ?? {};
  const organisationId = found[labels.organisationId];
  const deploymentId = found[labels.deploymentId];
  const versionId = found[versionLabel];
  return organisationId && deploymentId && versionId ? { organisationId, deploymentId, versionId } : undefined;
}

function checked(id: string): string {
  if (!idPattern.test(id)) throw new TypeError("that id cannot be in the name of a Kubernetes object");
  return id;
}
