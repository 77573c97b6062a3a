import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { ModelService, type UploadArtifactRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { eventually, failureOf, ServiceProcess } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../src/artifacts/artifact-store.ts";
import { DirectoryUploads } from "../src/artifacts/directory-uploads.ts";
import { DeploymentsRig, newDeploymentsHome, program } from "./deployments-rig.ts";
import { someBytes, uploadPieces } from "./upload-pieces.ts";

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

describe("an upload", () => {
  it("that gets no bytes for a day is forgotten", async () => {
    const home = { ...newDeploymentsHome(), ARTIFACTS_DIRECTORY: join(rig.home.ARTIFACTS_DIRECTORY, "..", "older") };
    const uploads = new DirectoryUploads(home.ARTIFACTS_DIRECTORY);
    const sha256 = sha256Of(Buffer.from("never finished"));
    await uploads.write(rig.acme, sha256, { offset: 0, bytes: Buffer.from("begun") });
    const path = join(home.ARTIFACTS_DIRECTORY, ".uploads", rig.acme, sha256.slice(0, 2), sha256);
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
    await utimes(path, twoDaysAgo, twoDaysAgo);
    await using service = await new ServiceProcess({ program, home }).start();
    await eventually(async () => (await uploads.receivedBytes(rig.acme, sha256)) === 0);
    expect(service.address).not.toBe("");
  });

  it("by a service that is killed goes on at the next, and leaves no file behind but the artifact", async () => {
    const home = { ...rig.home, ARTIFACTS_DIRECTORY: join(rig.home.ARTIFACTS_DIRECTORY, "..", "killed") };
    await using service = await new ServiceProcess({ program, home }).start();
    const bytes = someBytes(20_000_000);
    const sha256 = sha256Of(bytes);
    using caller = rig.clientAt(service.address);
    const under = caller.client(ModelService);
    const kill = async function* (): AsyncGenerator<MessageInitShape<typeof UploadArtifactRequestSchema>> {
      let sent = 0;
      for await (const piece of uploadPieces(bytes)) {
        if (sent++ === 200) await service.kill();
        yield piece;
      }
    };
    await failureOf(under.uploadArtifact(kill()));
    await service.start();
    // Its connection may be waiting before it tries again.
    using again = rig.clientAt(service.address);
    const models = again.client(ModelService);
    const { receivedBytes } = await models.getArtifactUpload({ artifactSha256: sha256 });
    expect(Number(receivedBytes)).toBeGreaterThan(0);
    const rest = uploadPieces(bytes, { from: Number(receivedBytes) });
    expect((await models.uploadArtifact(rest)).sizeBytes).toBe(20_000_000n);
    const entries = await readdir(home.ARTIFACTS_DIRECTORY, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([sha256]);
  }, 60_000);
});
