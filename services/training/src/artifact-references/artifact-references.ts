/** Which of an organisation's artifacts something refers to: answers a part of the digests that it is given. */
export type ArtifactReferences = (organisationId: string, digests: readonly string[]) => Promise<readonly string[]>;

/** Those of the digests that one of the sources refers to. Each is asked only for what those before it do not refer to. */
export async function referencedArtifacts(
  sources: readonly ArtifactReferences[],
  organisationId: string,
  digests: readonly string[],
): Promise<string[]> {
  const referenced = new Set<string>();
  for (const find of sources) {
    const left = digests.filter((digest) => !referenced.has(digest));
    if (left.length === 0) break;
    for (const digest of await find(organisationId, left)) referenced.add(digest);
  }
  return [...referenced];
}
