import { type CallRefused, CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { RefusalWindows } from "./refusal-windows.ts";

const windowMs = 10_000;

function refused(fields: MessageInitShape<typeof CallRefusedSchema> = {}): CallRefused {
  return create(CallRefusedSchema, {
    organisationId: "o",
    credentialId: "k",
    rpc: "S/Get",
    code: "not_found",
    ...fields,
  });
}

const open = (maxKinds = 200) => new RefusalWindows({ windowMs, maxKinds });

describe("refusals that are alike", () => {
  it("are announced the first time at once, and then together when the window ends", () => {
    const windows = open();
    expect(windows.take(refused({ requestId: "r1" }), 0)).toMatchObject({ count: 1, requestId: "r1" });
    for (let n = 2; n <= 50_000; n += 1) expect(windows.take(refused({ requestId: `r${n}` }), n / 5)).toBeUndefined();
    expect(windows.due(windowMs - 1)).toEqual([]);
    expect(windows.due(windowMs)).toMatchObject([{ count: 49_999, requestId: "r50000" }]);
    expect(windows.take(refused(), windowMs + 1)).toBeUndefined();
    expect(windows.due(2 * windowMs)).toMatchObject([{ count: 1 }]);
  });

  it("are announced at once again after a window without any", () => {
    const windows = open();
    windows.take(refused(), 0);
    expect(windows.due(windowMs)).toEqual([]);
    expect(windows.take(refused(), windowMs + 1)).toMatchObject({ count: 1 });
  });

  it("are announced when nothing more can be awaited", () => {
    const windows = open();
    windows.take(refused(), 0);
    windows.take(refused(), 1);
    expect(windows.due(Number.POSITIVE_INFINITY)).toMatchObject([{ count: 1 }]);
  });
});

describe("refusals that differ", () => {
  it.each([
    ["organisation", { organisationId: "other" }],
    ["service", { refusedBy: "training" }],
    ["RPC", { rpc: "S/List" }],
    ["code", { code: "permission_denied" }],
    ["reason", { reason: "PERMISSION_MISSING" }],
    ["member", { memberId: "m" }],
    ["credential", { credentialId: "other" }],
    ["address", { sourceAddress: "::1" }],
  ])("by their %s are announced each on its own", (_field, fields) => {
    const windows = open();
    windows.take(refused(), 0);
    expect(windows.take(refused(fields), 1)).toMatchObject({ ...fields, count: 1 });
  });

  it("beyond the bound are counted together, for each organisation", () => {
    const windows = open(2);
    for (let n = 0; n < 100; n += 1) windows.take(refused({ rpc: `S/${n}` }), n);
    expect(windows.take(refused({ organisationId: "other" }), 100)).toMatchObject({ count: 1 });
    expect(windows.due(2 * windowMs)).toMatchObject([{ organisationId: "o", rpc: "", credentialId: "", count: 98 }]);
  });
});
