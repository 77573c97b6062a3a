import type { DomainPlatform } from "@aiplatform/service-kit";
import type { ArtifactBytes } from "../artifacts/artifact-bytes.ts";
import type { ArtifactMarkStore, UnreferencedArtifact } from "../artifacts/artifact-mark-store.ts";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";
import { type ArtifactReferences, splitByReference } from "./artifact-references.ts";
import { artifactsCollected } from "./collection-events.ts";

export interface CollectDependencies extends Pick<DomainPlatform, "outbox" | "transaction" | "newId"> {
  /** Where the bytes lie. */
  bytes: Pick<ArtifactStore, "remove">;
  artifactBytes: Pick<ArtifactBytes, "refresh">;
  artifactMarks: ArtifactMarkStore;
  /** Everything that may refer to an artifact: what none of them does can go. */
  artifactReferences: readonly ArtifactReferences[];
  retentionMs: number;
  /** The database's clock. */
  now: () => Date;
}

/** What one pass has removed, or would. */
export interface CollectionPass {
  artifacts: UnreferencedArtifact[];
  /** Whether more may be due. */
  hasMore: boolean;
}

/** Artifacts that a pass asks about. */
const maxChecked = 500;
/** Artifacts that a pass removes. */
const maxRemoved = 100;
/** Artifacts that could not be removed, after which a pass gives up. */
const maxFailures = 3;
/** Artifacts that a dry run looks at. */
const maxTried = 1_000;
/** How often it is asked what refers to an artifact. */
const checkEveryMs = 6 * 3_600_000;
/** Time after which a pass that was killed or lost its lease removes nothing more. */
const passOverMs = 600_000;

/** What a pass would remove now. @throws TrainingUnavailableError, DatasetsUnavailableError */
export async function tryCollecting(
  { artifactMarks, artifactReferences, retentionMs, now }: CollectDependencies,
  organisationId: string,
): Promise<CollectionPass> {
  const before = new Date(now().getTime() - retentionMs);
  const due = await artifactMarks.unreferenced(organisationId, before, maxTried);
  const { unreferenced } = await splitByReference(artifactReferences, organisationId, due);
  return { artifacts: unreferenced, hasMore: due.length === maxTried };
}

/**
 * Marks artifacts that nothing refers to, and removes some that were marked for longer than the retention. Call it under the lease of the
 * organisation. Killed at any place it leaves nothing that the next pass does not end.
 * @throws TrainingUnavailableError, DatasetsUnavailableError, ArtifactsUnavailableError, the reason of `signal`
 */
export async function collectArtifacts(
  dependencies: CollectDependencies,
  organisationId: string,
  signal: AbortSignal,
): Promise<CollectionPass> {
  const { artifactBytes, artifactMarks, artifactReferences, retentionMs, now } = dependencies;
  await artifactBytes.refresh(organisationId);
  const hasUnchecked = await checkSome(dependencies, organisationId);
  signal.throwIfAborted();
  const left = await artifactMarks.leftInRemoval(organisationId, new Date(now().getTime() - passOverMs), maxRemoved);
  const before = new Date(now().getTime() - retentionMs);
  const max = maxRemoved - left.length;
  const due = await artifactMarks.unreferenced(organisationId, before, max);
  const { referenced, unreferenced } = await splitByReference(artifactReferences, organisationId, due);
  await artifactMarks.check(organisationId, { referenced, unreferenced: [] }, now());
  const begun = await artifactMarks.beginRemoval(organisationId, unreferenced, {
    ...{ pass: dependencies.newId(), before, now: now() },
  });
  const artifacts = await removeUnreferenced(dependencies, organisationId, { begun, left }, signal);
  return { artifacts, hasMore: hasUnchecked || due.length === max };
}

/** Answers whether there may be more to check. */
async function checkSome(
  { artifactMarks, artifactReferences, now }: CollectDependencies,
  organisationId: string,
): Promise<boolean> {
  const since = new Date(now().getTime() - checkEveryMs);
  const unchecked = await artifactMarks.unchecked(organisationId, since, maxChecked);
  const found = await splitByReference(artifactReferences, organisationId, unchecked);
  await artifactMarks.check(organisationId, found, now());
  return unchecked.length === maxChecked;
}

/** Nothing can begin to use them any longer, so what the sources say now is the last word. */
export async function removeUnreferenced(
  dependencies: CollectDependencies,
  organisationId: string,
  { begun, left }: { begun: UnreferencedArtifact[]; left: UnreferencedArtifact[] },
  signal: AbortSignal,
): Promise<UnreferencedArtifact[]> {
  const { bytes, artifactMarks, artifactReferences, outbox, transaction, now } = dependencies;
  const inRemoval = [...begun, ...left];
  if (inRemoval.length === 0) return [];
  const ask = () => splitByReference(artifactReferences, organisationId, inRemoval);
  const { referenced, unreferenced } = await ask().catch(async (error: unknown) => {
    await artifactMarks.spare(organisationId, begun);
    throw error;
  });
  await artifactMarks.spare(organisationId, referenced);
  const { removed, untouched, failure } = await removeBytes(bytes, organisationId, unreferenced, signal);
  if (removed.length > 0) {
    await transaction(async (session) => {
      await artifactMarks.endRemoval(organisationId, removed, session);
      await outbox.stage(session, artifactsCollected(organisationId, removed, now()));
    });
  }
  if (failure === undefined) return removed;
  // Of those that an earlier pass has left the bytes may be gone.
  const whole = untouched.filter((artifact) => begun.includes(artifact));
  await artifactMarks.cancelRemoval(organisationId, whole);
  throw failure.error;
}

/** What became of artifacts that are in removal. */
interface Removal {
  removed: UnreferencedArtifact[];
  /** Whose bytes were not asked to go. */
  untouched: UnreferencedArtifact[];
  failure?: { error: unknown };
}

/** Removes bytes, one artifact after the other. One that cannot be removed holds up no other; several mean that the store is away. */
async function removeBytes(
  bytes: CollectDependencies["bytes"],
  organisationId: string,
  artifacts: readonly UnreferencedArtifact[],
  signal: AbortSignal,
): Promise<Removal> {
  const removed: UnreferencedArtifact[] = [];
  const errors: unknown[] = [];
  for (const [index, artifact] of artifacts.entries()) {
    if (signal.aborted) errors.push(signal.reason);
    if (signal.aborted || errors.length >= maxFailures) {
      return { removed, untouched: artifacts.slice(index), failure: { error: errors[0] } };
    }
    await bytes.remove(organisationId, artifact.sha256).then(
      () => removed.push(artifact),
      (error: unknown) => errors.push(error),
    );
  }
  return { removed, untouched: [], ...(errors.length > 0 && { failure: { error: errors[0] } }) };
}
