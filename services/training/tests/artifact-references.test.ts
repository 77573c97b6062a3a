import { randomUUID } from "node:crypto";
import { ArtifactReferenceService } from "@aiplatform/contract/aiplatform/training/v1/artifact_references";
import { CheckpointService } from "@aiplatform/contract/aiplatform/training/v1/checkpoints";
import { MediaKind } from "@aiplatform/contract/aiplatform/training/v1/media";
import { JobState } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, eventually, TestClient } from "@aiplatform/testkit";
import { type Client, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allPermissions, newJob, runningJob, TrainingRig } from "./training-rig.ts";

let rig: TrainingRig;
let caller: TestClient;
let references: Client<typeof ArtifactReferenceService>;
const cleanUp = new AsyncDisposableStack();
beforeAll(async () => {
  rig = cleanUp.use(await TrainingRig.start());
  const { organisationId } = rig;
  const address = rig.services[0]?.addresses.grpc ?? "";
  caller = cleanUp.adopt(new TestClient(address, { organisationId, permissions: allPermissions }), (each) =>
    each.transport.close(),
  );
  const asked = createMeshTransport({ addresses: address, interceptors: [assertedAs("deployments")] });
  references = createClient(
    ArtifactReferenceService,
    cleanUp.adopt(asked, (each) => each.close()),
  );
});
afterAll(() => cleanUp.disposeAsync());

const newDigest = () => randomUUID().replaceAll("-", "").repeat(2);
const uriOf = (digest: string) => `artifact:sha256:${digest}`;
const referenced = async (digests: string[], organisationId = rig.organisationId) =>
  (await references.findReferencedArtifacts({ organisationId, artifactSha256s: digests })).artifactSha256s;

describe("the artifacts that training refers to", () => {
  it("are those of checkpoints that are not pruned", async () => {
    const { job, trainer } = await runningJob(rig);
    await using _ = trainer;
    const [old, newest, never, shared] = [newDigest(), newDigest(), newDigest(), newDigest()];
    const ids: string[] = [];
    for (const [step, digest] of [old, shared, newest].entries()) {
      ids.push(randomUUID());
      await trainer.checkpoint({ id: ids[step] ?? "", step, uri: uriOf(digest) });
    }
    await trainer.checkpoint({ id: randomUUID(), step: 9, uri: uriOf(shared) });
    const all = [old, newest, never, shared];
    expect((await referenced(all)).toSorted()).toEqual([old, newest, shared].toSorted());
    await caller.client(CheckpointService).pruneCheckpoints({ ...job, checkpointIds: ids });
    expect(await referenced(all)).toEqual([shared]);
    expect(await referenced(all, randomUUID())).toEqual([]);
  });

  it("are those of a checkpoint that another job has pruned under the same id", async () => {
    const [one, other] = [await runningJob(rig), await runningJob(rig)];
    await using _one = one.trainer;
    await using _other = other.trainer;
    const [id, digest] = [randomUUID(), newDigest()];
    for (const { trainer } of [one, other]) await trainer.checkpoint({ id, step: 1, uri: uriOf(digest) });
    await one.trainer.checkpoint({ id: randomUUID(), step: 2, uri: uriOf(newDigest()) });
    await caller.client(CheckpointService).pruneCheckpoints({ ...one.job, checkpointIds: [id] });
    expect(await referenced([digest])).toEqual([digest]);
  });

  it("are those of files that trainers have shown", async () => {
    const clients = rig.as();
    const { pipelineId, runId, jobName } = await newJob(clients);
    const digest = newDigest();
    const file = { sha256: digest, mediaType: "image/png", sizeBytes: 68n };
    const media = [
      { name: "samples", step: 1, kind: MediaKind.IMAGE, content: { case: "file", value: file } as const },
    ];
    await clients.trainers.sendMetrics({ pipelineId, runId, jobName, media });
    expect(await referenced([digest, newDigest()])).toEqual([digest]);
  });

  it("are those of results, by the digest and by the address, until their run is deleted", async () => {
    const { clients, job, trainer } = await runningJob(rig);
    const [inFile, uploaded] = [newDigest(), newDigest()];
    const artifact = { uri: uriOf(uploaded), sha256: inFile, sizeBytes: 1n, format: "onnx" };
    await clients.trainers.reportJobState({ ...trainer.address, state: JobState.COMPLETED, artifact });
    await trainer[Symbol.asyncDispose]();
    expect((await referenced([inFile, uploaded])).toSorted()).toEqual([inFile, uploaded].toSorted());
    await clients.runs.deleteRun(job);
    await eventually(async () => (await referenced([inFile, uploaded])).length === 0, "the run to be gone");
  });
});
