/** Which of an organisation's artifacts something refers to: answers a part of the digests that it is given. */
export type ArtifactReferences = (organisationId: string, digests: readonly string[]) => Promise<readonly string[]>;

/** Stores of this service whose documents refer to artifacts. */
type ReferringStores = Record<
  "modelVersions" | "deploymentVersions" | "runFiles",
  { artifactsAmong: ArtifactReferences }
>;

/** What refers to artifacts in this service is a line here. */
export function storedReferences({
  modelVersions,
  deploymentVersions,
  runFiles,
}: ReferringStores): ArtifactReferences[] {
  return [
    (organisationId, digests) => modelVersions.artifactsAmong(organisationId, digests),
    (organisationId, digests) => deploymentVersions.artifactsAmong(organisationId, digests),
    (organisationId, digests) => runFiles.artifactsAmong(organisationId, digests),
  ];
}

/** Splits artifacts by whether one of the sources refers to them. Each is asked only for what those before it do not refer to. */
export async function splitByReference<A extends { sha256: string }>(
  sources: readonly ArtifactReferences[],
  organisationId: string,
  artifacts: readonly A[],
): Promise<{ referenced: A[]; unreferenced: A[] }> {
  const found = new Set<string>();
  for (const find of sources) {
    const left = artifacts.map(({ sha256 }) => sha256).filter((digest) => !found.has(digest));
    if (left.length === 0) break;
    for (const digest of await find(organisationId, left)) found.add(digest);
  }
  return {
    referenced: artifacts.filter(({ sha256 }) => found.has(sha256)),
    unreferenced: artifacts.filter(({ sha256 }) => !found.has(sha256)),
  };
}
