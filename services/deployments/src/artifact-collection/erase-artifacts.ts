import { splitByReference } from "./artifact-references.ts";
import { type CollectDependencies, removeUnreferenced } from "./collect-artifacts.ts";

/**
 * Removes artifacts that nothing refers to at once, whatever the retention: for data that is to be gone. Answers those that stay, because
 * something refers to them. Again it removes what is left.
 * @throws TrainingUnavailableError, DatasetsUnavailableError, ArtifactsUnavailableError
 */
export async function eraseArtifacts(
  dependencies: CollectDependencies,
  organisationId: string,
  digests: readonly string[],
): Promise<string[]> {
  const { artifactBytes, artifactMarks, artifactReferences, newId, now } = dependencies;
  // What was never counted has no document for the mark.
  await artifactBytes.refresh(organisationId);
  const artifacts = digests.map((sha256) => ({ sha256 }));
  const { referenced, unreferenced } = await splitByReference(artifactReferences, organisationId, artifacts);
  await artifactMarks.check(organisationId, { referenced: [], unreferenced }, now());
  const pass = { pass: newId(), before: now(), now: now() };
  const begun = await artifactMarks.beginRemoval(organisationId, unreferenced, pass);
  // What an earlier attempt has begun and not ended is ended here.
  const left = await artifactMarks.inRemoval(organisationId, unreferenced);
  const others = left.filter(({ sha256 }) => begun.every((each) => each.sha256 !== sha256));
  await removeUnreferenced(dependencies, organisationId, { begun, left: others }, new AbortController().signal);
  return referenced.map(({ sha256 }) => sha256);
}
