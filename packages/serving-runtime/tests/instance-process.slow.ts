import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { eventually } from "@aiplatform/testkit";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { GRPCInferenceService } from "../src/gen/inference_pb.js";
import { modelName, startHandler, startRuntime, token } from "./runtime-process.ts";

/** Answers when it is told how often it was asked at once. */
const slow = `
let now = 0, most = 0;
export default async ({ ms }, { signal }) => {
  most = Math.max(most, ++now);
  try {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { most };
  } finally { now--; }
};`;
const path = `/v2/models/${modelName}/infer`;

describe("an instance", () => {
  it("works on as many requests at once as it may, lets some wait, and refuses the rest", async () => {
    await using runtime = await startHandler(slow, { manifest: { concurrency: 2, timeout_ms: 20_000 } });
    const inFlight = (count: number) => eventually(async () => (await runtime.state()).in_flight >= count);
    const working = Array.from({ length: 2 }, () => runtime.infer({ input: { ms: 4_000 } }));
    await inFlight(2);
    const waiting = Array.from({ length: 16 }, () => runtime.infer({ input: { ms: 0 } }));
    await inFlight(18);
    const refused = await runtime.infer({ input: { ms: 0 } });
    expect(refused).toMatchObject({ status: 429, body: { error: "Too many predictions are asked for at once" } });
    expect(refused.headers.get("retry-after")).toBe("1");
    const answers = await Promise.all([...working, ...waiting]);
    expect(answers.map(({ status }) => status)).toEqual(Array(18).fill(200));
    expect(answers.map(({ body }) => body["output"])).toContainEqual({ most: 2 });
    expect(answers.map(({ body }) => body["output"])).not.toContainEqual({ most: 3 });
  });

  it("tells a request whose turn did not come that nothing was done", async () => {
    await using runtime = await startHandler(slow, { manifest: { concurrency: 1, timeout_ms: 1_000 } });
    const [first, second] = await Promise.all([
      runtime.infer({ input: { ms: 60_000 } }),
      runtime.infer({ input: { ms: 60_000 } }),
    ]);
    expect([first?.status, second?.status].sort()).toEqual([503, 504]);
  });

  it("gives up a prediction that its caller no longer waits for", async () => {
    await using runtime = await startHandler(
      "let gone = 0; export default (input, { signal }) => input === 'gone' ? gone : new Promise(() => signal.addEventListener('abort', () => gone++));",
    );
    const leaving = new AbortController();
    const body = JSON.stringify({ input: "wait" });
    const headers = { authorization: `Bearer ${token}` };
    const asked = fetch(runtime.url + path, { method: "POST", headers, body, signal: leaving.signal });
    await eventually(async () => (await runtime.state()).in_flight > 0);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await eventually(async () => (await runtime.state()).in_flight === 0);
    expect((await runtime.infer({ input: "gone" })).body["output"]).toBe(1);
  });

  it("finishes what is under way on SIGTERM, and ends then, though its clients keep their connections", async () => {
    await using runtime = await startHandler(slow);
    const asked = runtime.infer({ input: { ms: 400 } });
    await eventually(async () => (await runtime.state()).in_flight > 0);
    const ended = runtime.end("SIGTERM");
    expect(await asked).toMatchObject({ status: 200 });
    const answeredAt = performance.now();
    expect(await ended).toBe(0);
    expect(performance.now() - answeredAt).toBeLessThan(10_000);
  });

  it("ends when the process that started it is gone", async () => {
    await using runtime = await startHandler(slow);
    runtime.child.stdin?.end();
    const [code] = await once(runtime.child, "exit");
    expect(code).toBe(0);
  });

  it("says so when its port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(startRuntime({ files: {}, env: { PORT: String(port) } })).rejects.toThrow(
      /Cannot start: .*EADDRINUSE/,
    );
    other.close();
  });

  it("says everything that is wrong with its settings", async () => {
    const { runtimeProgram } = await import("../src/runtime-command.ts");
    const child = spawn(process.execPath, [runtimeProgram], { env: { SERVING_TOKEN: "short" } });
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, "exit");
    expect(code).toBe(1);
    expect(said).toMatch(
      /SERVING_DIRECTORY is not set.*SERVING_MANIFEST is not set.*SERVING_TOKEN must have at least 16/,
    );
  });
});

describe("an instance over HTTP", () => {
  it("wants its token for all but health and metrics", async () => {
    await using runtime = await startHandler("export default (input) => input;");
    const authorization = `Bearer ${token}`;
    const statusOf = async (at: string, headers: Record<string, string>) =>
      (await fetch(runtime.url + at, { headers })).status;
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: token }, { authorization: "" }]) {
      for (const at of ["/v2", "/state", `/v2/models/${modelName}`, "/anything"]) {
        expect([at, await statusOf(at, headers)]).toEqual([at, 401]);
      }
      for (const at of ["/v2/health/live", "/v2/health/ready", "/metrics"]) {
        expect([at, await statusOf(at, headers)]).toEqual([at, 200]);
      }
    }
    expect(await statusOf("/v2", { authorization })).toBe(200);
  });

  it.each([
    ["another model", "GET", "/v2/models/other", 404],
    ["another version", "GET", `/v2/models/${modelName}/versions/2`, 404],
    ["its version", "GET", `/v2/models/${modelName}/versions/1`, 200],
    ["its readiness", "GET", `/v2/models/${modelName}/versions/1/ready`, 200],
    ["a name that is no encoding", "GET", "/v2/models/%zz", 404],
    ["a path that there is not", "GET", "/v1", 404],
    ["a method that there is not", "DELETE", `/v2/models/${modelName}`, 405],
    ["a prediction by GET", "GET", path, 405],
  ])("answers %s", async (_, method, at, status) => {
    await using runtime = await startHandler("export default (input) => input;");
    expect((await runtime.ask(at, { method, headers: { authorization: `Bearer ${token}` } })).status).toBe(status);
  });

  it.each([
    ["what is not JSON", "{", 400],
    ["a number", "7", 400],
    ["no body", "", 400],
    ["too much", JSON.stringify({ input: "x".repeat(3_000) }), 413],
    ["the bytes of a picture", Buffer.from([0xff, 0xd8, 0xff]), 400],
  ])("refuses %s", async (_, body, status) => {
    await using runtime = await startHandler("export default (input) => input;", { env: { MAX_BODY_BYTES: "2048" } });
    const answer = await runtime.ask(path, { method: "POST", body });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        controller.close();
      },
    });
    const headers = { authorization: `Bearer ${token}` };
    const again = await fetch(runtime.url + path, { method: "POST", headers, body: streamed, duplex: "half" });
    expect(again.status).toBe(status);
  });
});

describe("an instance over gRPC", () => {
  it("tells failures by gRPC's codes", async () => {
    await using runtime = await startHandler(
      'export default (input) => { if (input === "throw") throw new Error("no luck"); return input; };',
      { manifest: { runtime: "node", interface: { input: '{"type": ["string", "number"]}', output: "{}" } } },
    );
    const client = createClient(GRPCInferenceService, createGrpcTransport({ baseUrl: runtime.grpcUrl }));
    const headers = { authorization: `Bearer ${token}` };
    const text = (value: string) => [
      { name: "input", datatype: "BYTES", shape: [1n], contents: { bytesContents: [Buffer.from(value)] } },
    ];
    const codeOf = (asked: Promise<unknown>) =>
      asked.then(
        () => undefined,
        (error) => ConnectError.from(error).code,
      );
    expect(await client.serverLive({})).toMatchObject({ live: true });
    expect(await client.serverReady({})).toMatchObject({ ready: true });
    expect(await client.modelReady({ name: modelName }, { headers })).toMatchObject({ ready: true });
    expect(await client.modelMetadata({ name: modelName, version: "1" }, { headers })).toMatchObject({
      platform: "node_handler",
    });
    const answer = await client.modelInfer({ modelName, inputs: text("7") }, { headers });
    expect(Buffer.from(answer.outputs[0]?.contents?.bytesContents[0] ?? []).toString()).toBe("7");

    const failing = (inputs: ReturnType<typeof text>, o = { headers }) =>
      codeOf(client.modelInfer({ modelName, inputs }, o));
    expect(await failing(text("7"), { headers: { authorization: "Bearer no" } })).toBe(Code.Unauthenticated);
    expect(await failing(text("{}"))).toBe(Code.InvalidArgument);
    expect(await failing(text("nonsense"))).toBe(Code.InvalidArgument);
    expect(await failing(text('"throw"'))).toBe(Code.Internal);
    expect(await codeOf(client.modelInfer({ modelName: "other" }, { headers }))).toBe(Code.NotFound);
    const error = await client.modelInfer({ modelName: "other" }, { headers }).catch(ConnectError.from);
    expect(ConnectError.from(error).findDetails(ErrorInfoSchema)).toMatchObject([{ reason: "UNKNOWN_MODEL" }]);
    expect(await codeOf(client.modelMetadata({ name: modelName, version: "2" }, { headers }))).toBe(Code.NotFound);
  });
});
