import { describe, expect, it } from "vitest";
import { type Containment, containedCommand, refusalOf } from "./containment.ts";

const none = { kind: "none", reason: "Darwin 25 arm64 lacks seccomp" } as const;
const landlock = { kind: "landlock", python: "/usr/bin/python3", abi: 7 } as const;
const strict = { sandbox: landlock, trustsCode: false, network: false, allowedNetworks: [] };

describe("a version", () => {
  it.each<[string, Partial<Containment>, "node" | "onnx", boolean, RegExp | undefined]>([
    ["with a handler runs in the sandbox", {}, "node", false, undefined],
    ["with a handler is refused without one", { sandbox: none }, "node", false, /cannot contain .* lacks seccomp/],
    [
      "with a handler runs without one where code is trusted",
      { sandbox: none, trustsCode: true },
      "node",
      false,
      undefined,
    ],
    ["of a model alone runs anywhere", { sandbox: none }, "onnx", false, undefined],
    ["that wants the network is refused", {}, "node", true, /serverless_run_config\.network/],
    ["that wants the network runs where it is allowed", { network: true }, "node", true, undefined],
  ])("%s", (_title, more, runtime, network, message) => {
    const refusal = refusalOf({ ...strict, ...more }, { runtime, runConfig: { network } });
    expect(refusal).toEqual(message && { reason: "ResourcesUnavailable", message: expect.stringMatching(message) });
  });

  it("is started by the launcher, which is told what it may read", () => {
    const options = {
      directory: "/v/files",
      manifestPath: "/v/manifest.json",
      memoryMb: 64,
      models: false,
      codePaths: ["/code"],
    };
    const given = { host: "127.0.0.1", options, args: ["main.js"] };
    const { command, args } = containedCommand(strict, given);
    expect([command, args.slice(0, 3), args.slice(4)]).toEqual([
      "/usr/bin/python3",
      ["-I", "-S", "-B"],
      [
        '{"tier":"landlock","read":["/v/files","/v/manifest.json","/code"],"listen":"127.0.0.1","memory":1600}',
        process.execPath,
        "main.js",
      ],
    ]);
    expect(containedCommand({ sandbox: none }, given)).toEqual({
      command: process.execPath,
      args: ["main.js"],
    });
  });
});
