import { LineageService } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { RunUses } from "./run-uses.ts";

const node = { kind: LineageKind.MODEL_VERSION, id: "m1", name: "Digits", number: 2, state: "ready", distance: 1 };

function usesOver(findUses: () => { uses: { nodes: (typeof node)[] } }): RunUses {
  return new RunUses(
    () => createRouterTransport(({ service }) => service(LineageService, { findUses })),
    ["deployments:1"],
  );
}

describe("what was made of a run that is deleted", () => {
  it("is what deployments says", async () => {
    const uses = await usesOver(() => ({ uses: { nodes: [node] } })).ofRun("acme", "r1");
    expect(uses?.nodes).toMatchObject([{ kind: "model_version", id: "m1", name: "Digits", number: 2, distance: 1 }]);
  });

  // The run is gone by then: an error would tell the caller that it is not, and a repeat would be 404.
  it.each([Code.Unavailable, Code.Internal, Code.ResourceExhausted, Code.PermissionDenied])(
    "is not known where deployments answers code %s",
    async (code) => {
      const uses = usesOver(() => {
        throw new ConnectError("", code);
      });
      expect(await uses.ofRun("acme", "r1")).toBeUndefined();
    },
  );

  it("is not known where deployments is not set up", async () => {
    const uses = new RunUses(() => createRouterTransport(() => undefined), []);
    expect(await uses.ofPipeline("acme", "p1")).toBeUndefined();
  });
});
