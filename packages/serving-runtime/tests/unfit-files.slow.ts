import { describe, expect, it } from "vitest";
import type { RuntimeOptions } from "./runtime-process.ts";
import { startRuntime } from "./runtime-process.ts";
import { trainModel } from "./trained-model.ts";

const { onnx } = await trainModel(1);
const node = { runtime: "node" } as const;
const good = "export default (input) => input;";
/** Two messages of which one says that the other is as long as nothing can be. */
const nonsense = Uint8Array.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]);

const cases: [string, RuntimeOptions, string, RegExp][] = [
  ["a corrupt ONNX file", { files: { "model.onnx": onnx.map((byte) => byte ^ 0x55) } }, "ModelLoadFailed", /./],
  ["half an ONNX file", { files: { "model.onnx": onnx.slice(0, onnx.length / 2) } }, "ModelLoadFailed", /./],
  ["an empty ONNX file", { files: { "model.onnx": "" } }, "ModelLoadFailed", /./],
  ["an ONNX file of nonsense", { files: { "model.onnx": nonsense } }, "ModelLoadFailed", /./],
  ["no ONNX file", { files: { "readme.txt": "hello" } }, "ArtifactMissing", /no \.onnx file/],
  ["two ONNX files", { files: { "a.onnx": onnx, "b/b.onnx": onnx } }, "InvalidBundle", /more than one/],
  ["no handler", { files: {}, manifest: node }, "ArtifactMissing", /no handler\.mjs/],
  [
    "a handler that is no JavaScript",
    { files: { "handler.mjs": "export {" }, manifest: node },
    "InvalidBundle",
    /SyntaxError/,
  ],
  [
    "a handler that exports nothing",
    { files: { "handler.mjs": "" }, manifest: node },
    "InvalidBundle",
    /not a function/,
  ],
  [
    "a handler that throws while it loads",
    { files: { "handler.mjs": "throw new Error('no luck')" }, manifest: node },
    "InvalidBundle",
    /Error: no luck/,
  ],
  [
    "a handler that needs what is not there",
    { files: { "handler.mjs": "import './rules.mjs'" }, manifest: node },
    "InvalidBundle",
    /Cannot find module|restricted/,
  ],
  [
    "a handler that never stops loading",
    { files: { "handler.mjs": "for (;;);" }, manifest: node, env: { LOAD_TIMEOUT_MS: "500" } },
    "InvalidBundle",
    /longer than 500 ms to load/,
  ],
  [
    "a handler that exits while it loads",
    { files: { "handler.mjs": "process.exit(0)" }, manifest: node },
    "InvalidBundle",
    /ended its thread/,
  ],
  [
    "a handler that eats all memory while it loads",
    {
      files: { "handler.mjs": "const all = []; for (;;) all.push(new Array(100000).fill(Math.random()));" },
      manifest: { ...node, memory_mb: 160 },
    },
    "InvalidBundle",
    /out of memory/,
  ],
  [
    "a handler with a corrupt model",
    { files: { "handler.mjs": good, "models/digits.onnx": "nonsense" }, manifest: node },
    "ModelLoadFailed",
    /./,
  ],
  [
    "a schema that is none",
    { files: { "handler.mjs": good }, manifest: { ...node, interface: { input: '{"type": 7}', output: "{}" } } },
    "InvalidBundle",
    /^interface\.input: /,
  ],
];

describe.each(cases)("%s", (_, options, reason, detail) => {
  it(`fails with ${reason}, says why, and serves nothing`, async () => {
    await using runtime = await startRuntime(options);
    const report = await runtime.settled();
    expect(report).toMatchObject({ state: "failed", reason });
    expect(report.detail).toMatch(detail);
    expect(report.detail).not.toContain(runtime.directory);
    expect((await runtime.ask("/v2/health/live")).status).toBe(200);
    expect((await runtime.ask("/v2/health/ready")).status).toBe(503);
    expect(await runtime.infer({ input: 1 })).toMatchObject({
      status: 503,
      body: { error: "The model could not be loaded" },
    });
    expect(runtime.child.exitCode).toBeNull();
  });
});
