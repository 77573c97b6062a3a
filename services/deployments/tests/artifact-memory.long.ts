import { createHash } from "node:crypto";
import { join } from "node:path";
import { ModelService, type UploadArtifactRequestSchema } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { ServiceProcess } from "@aiplatform/testkit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeploymentsRig, program } from "./deployments-rig.ts";

let rig: DeploymentsRig;
beforeAll(async () => {
  rig = await DeploymentsRig.start();
});
afterAll(() => rig?.[Symbol.asyncDispose]());

describe("the memory of a service", () => {
  it("does not grow with what is uploaded through it", async () => {
    const home = { ...rig.home, ARTIFACTS_DIRECTORY: join(rig.home.ARTIFACTS_DIRECTORY, "..", "large") };
    const heap = { NODE_OPTIONS: "--max-old-space-size=96" };
    await using service = await new ServiceProcess({ program, home, settings: heap }).start();
    using caller = rig.clientAt(service.address);
    const under = caller.client(ModelService);
    const piece = Buffer.alloc(1_048_576, 7);
    const pieces = 256;
    const hash = createHash("sha256");
    for (let index = 0; index < pieces; index++) hash.update(piece);
    const artifactSha256 = hash.digest("hex");
    const sizeBytes = BigInt(pieces * piece.length);
    const before = await service.residentBytes();
    let most = 0;
    const large = async function* (): AsyncGenerator<MessageInitShape<typeof UploadArtifactRequestSchema>> {
      for (let index = 0; index < pieces; index++) {
        if (index % 16 === 0) most = Math.max(most, await service.residentBytes());
        yield { artifactSha256, sizeBytes, offset: BigInt(index * piece.length), data: piece };
      }
    };
    expect(await under.uploadArtifact(large())).toMatchObject({ artifactSha256, sizeBytes });
    most = Math.max(most, await service.residentBytes());
    // Less than half of what went through it; what is in hand at any time is some pieces of a megabyte.
    expect(most - before).toBeLessThan(100_000_000);
  }, 120_000);
});
