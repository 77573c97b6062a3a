import { randomUUID } from "node:crypto";
import { ModelService, type UploadArtifactRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { eventually, failureOf, type TestCaller } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DeploymentsRig } from "./deployments-rig.ts";
import { someBytes, uploadPieces } from "./upload-pieces.ts";

type Piece = MessageInitShape<typeof UploadArtifactRequestSchema>;

const maxBytes = 8 * 1024 * 1024;
let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start({ replicas: 2, settings: { MAX_ARTIFACT_BYTES: String(maxBytes) } });
});
afterAll(() => rig?.[Symbol.asyncDispose]());

const models = (caller: TestCaller = {}, replica = 0) => rig.as(caller, replica).client(ModelService);
const progress = (artifactSha256: string, replica = 0) => models({}, replica).getArtifactUpload({ artifactSha256 });

/** The first pieces, and then a line that is cut. */
async function* cut(pieces: AsyncIterable<Piece>, after: number): AsyncGenerator<Piece> {
  let sent = 0;
  for await (const piece of pieces) {
    if (sent++ === after) throw new Error("the line was cut");
    yield piece;
  }
}

describe("an upload", () => {
  it("ends with the stored artifact, and again without sending it", async () => {
    const bytes = someBytes(300_000);
    const artifactSha256 = sha256Of(bytes);
    expect(await progress(artifactSha256)).toMatchObject({ receivedBytes: 0n, complete: false });
    const stored = { artifactSha256, sizeBytes: 300_000n };
    expect(await models().uploadArtifact(uploadPieces(bytes))).toMatchObject(stored);
    expect(await progress(artifactSha256, 1)).toMatchObject({ receivedBytes: 300_000n, complete: true });
    const alone = uploadPieces(Buffer.alloc(0), { sha256: artifactSha256, sizeBytes: 300_000 });
    expect(await models({}, 1).uploadArtifact(alone)).toMatchObject(stored);
  });

  it("that was cut goes on from where it stands, at another replica", async () => {
    const bytes = someBytes(5_000_000);
    const artifactSha256 = sha256Of(bytes);
    await failureOf(models().uploadArtifact(cut(uploadPieces(bytes), 40)));
    const other = models({}, 1);
    const stored = await eventually(async () => {
      // What was cut may still be on its way into the file: a client that asked too early is told so, and asks again.
      const { receivedBytes } = await other.getArtifactUpload({ artifactSha256 });
      if (receivedBytes === 0n) return false;
      const rest = uploadPieces(bytes, { from: Number(receivedBytes) });
      return await other.uploadArtifact(rest).catch((error: unknown) => {
        if (ConnectError.from(error).code !== Code.Aborted) throw error;
        return false as const;
      });
    });
    expect(stored).toMatchObject({ sizeBytes: 5_000_000n });
  });

  it("that ends early stays, and says how far it has come", async () => {
    const bytes = someBytes(1_000);
    const artifactSha256 = sha256Of(bytes);
    const early = uploadPieces(bytes.subarray(0, 600), { sha256: artifactSha256, sizeBytes: 1_000 });
    const failure = await failureOf(models().uploadArtifact(early));
    expect(failure).toMatchObject({ code: Code.Aborted, reason: "UPLOAD_UNFINISHED" });
    expect(failure.message).toBe("600 of 1000 bytes have arrived; the upload goes on from there");
    expect(await progress(artifactSha256)).toMatchObject({ receivedBytes: 600n });
  });

  it("that leaves bytes out, or repeats some, is told where it goes on", async () => {
    const bytes = someBytes(1_000);
    const gap = await failureOf(models().uploadArtifact(uploadPieces(bytes, { from: 10 })));
    expect(gap).toMatchObject({ code: Code.Aborted, reason: "UPLOAD_OFFSET", message: "the upload goes on at 0" });
  });

  it("of other bytes than those of the digest is refused, and begins again", async () => {
    const artifactSha256 = sha256Of(someBytes(100));
    const wrong = uploadPieces(someBytes(1_000), { sha256: artifactSha256 });
    const failure = await failureOf(models().uploadArtifact(wrong));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, reason: "ARTIFACT_DIGEST" });
    expect(failure.fields.map(([field]) => field)).toEqual(["artifact_sha256"]);
    expect(await progress(artifactSha256)).toMatchObject({ receivedBytes: 0n, complete: false });
  });

  it("of more bytes than announced is refused", async () => {
    const bytes = someBytes(1_000);
    const failure = await failureOf(models().uploadArtifact(uploadPieces(bytes, { sizeBytes: 999 })));
    expect(failure).toMatchObject({ code: Code.InvalidArgument, reason: "ARTIFACT_DIGEST" });
  });

  it("without a first message, or one that names nothing, is refused", async () => {
    const nothing = await failureOf(models().uploadArtifact((async function* () {})()));
    const nameless = await failureOf(models().uploadArtifact(uploadPieces(someBytes(100), { sha256: "" })));
    for (const failure of [nothing, nameless]) expect(failure.code).toBe(Code.InvalidArgument);
  });

  it("of the largest size there may be is taken, and of one byte more is refused at its first message", async () => {
    const largest = Buffer.alloc(maxBytes);
    const taken = await models().uploadArtifact(uploadPieces(largest, { pieceBytes: 1_048_576 }));
    expect(taken.sizeBytes).toBe(BigInt(maxBytes));
    const larger = uploadPieces(Buffer.alloc(0), { sha256: sha256Of(someBytes(100)), sizeBytes: maxBytes + 1 });
    const failure = await failureOf(models().uploadArtifact(larger));
    expect(failure).toMatchObject({ code: Code.ResourceExhausted, reason: "ARTIFACT_TOO_LARGE" });
  }, 60_000);

  it("is one of twenty unfinished ones of an organisation at most", async () => {
    const organisationId = randomUUID();
    const unfinished = () => {
      const sha256 = sha256Of(someBytes(100));
      return failureOf(
        models({ organisationId }).uploadArtifact(uploadPieces(Buffer.from("begun"), { sha256, sizeBytes: 100 })),
      );
    };
    for (let upload = 0; upload < 20; upload++) expect((await unfinished()).reason).toBe("UPLOAD_UNFINISHED");
    expect(await unfinished()).toMatchObject({ code: Code.ResourceExhausted, reason: "UPLOAD_LIMIT" });
  });
});
