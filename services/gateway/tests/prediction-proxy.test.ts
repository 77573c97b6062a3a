import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { eventually } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RuntimeProcess, startHandler } from "../../../packages/serving-runtime/tests/runtime-process.ts";
import { deploymentId, instanceToken, type PredictionRig, startPredictionRig, target } from "./prediction-proxy-rig.ts";

const infer = "/v2/models/digits/infer";
const handler = `
export default async (input, { signal }) => {
  if (input?.ms) await new Promise((resolve) => setTimeout(resolve, input.ms));
  if (input?.length) return "x".repeat(input.length);
  return { version: VERSION, input };
};`;
const handlerOf = (version: string) => handler.replace("VERSION", JSON.stringify(version));
const predicting = (input: unknown) => ({
  method: "POST",
  headers: { authorization: "Bearer good", "content-type": "application/json" },
  body: JSON.stringify({ input }),
});

describe("a prediction through the gateway", () => {
  let runtime: RuntimeProcess;
  let rig: PredictionRig;

  beforeAll(async () => {
    runtime = await startHandler(handlerOf("one"), { manifest: { timeout_ms: 4_000 } });
    rig = await startPredictionRig([target(runtime.url)]);
  });

  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await runtime[Symbol.asyncDispose]();
  });

  it("is answered by an instance", async () => {
    const answer = await rig.ask(infer, predicting({ a: 1 }));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      model_name: "digits",
      model_version: "1",
      output: { version: "one", input: { a: 1 } },
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-deployment-version": "v1",
      "x-request-id": expect.any(String),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
  });

  it.each([
    ["/v2", { name: "aiplatform-serving-runtime" }],
    ["/v2/health/ready", { ready: true }],
    ["/v2/models/digits", { name: "digits", platform: "node_handler" }],
  ])("comes with the rest of the protocol: %s", async (path, body) => {
    const answer = await rig.ask(path);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining(body)]);
  });

  it("asks deployments once for many", async () => {
    const before = rig.resolved();
    await Promise.all(Array.from({ length: 20 }, () => rig.ask("/v2")));
    expect(rig.resolved() - before).toBeLessThanOrEqual(1);
  });

  it("asks again when the deployment changed", async () => {
    await rig.ask("/v2");
    const before = rig.resolved();
    rig.changed();
    await rig.ask("/v2");
    expect(rig.resolved()).toBe(before + 1);
  });

  it("passes on what the instance refuses", async () => {
    const answer = await rig.ask(infer, { ...predicting(1), body: "nonsense" });
    expect([answer.status, await answer.json()]).toEqual([400, { error: "The body is not JSON" }]);
    expect((await rig.ask("/v2/models/other")).status).toBe(404);
  });

  it("needs a credential", async () => {
    const answers = await Promise.all(
      [{}, { authorization: "Bearer bad" }, { authorization: `Bearer ${instanceToken}` }].map((headers) =>
        rig.ask("/v2", { headers }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(rig.refusals.at(-1)).toMatchObject({ rpc: expect.stringMatching(/ResolvePredictionRoute$/) });
  });

  it("needs the permission", async () => {
    await using other = await startPredictionRig([target(runtime.url)]);
    other.caller.permissions = ["deployments:read"];
    const answer = await other.ask("/v2");
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { detail: "Missing permission: deployments:predict", code: "permission_missing" },
    ]);
    expect(other.resolved()).toBe(0);
    expect(other.taken()).toBe(0);
  });

  it.each([
    `/platform/deployments/${deploymentId.replace("d0d0", "ffff")}/v2`,
    "/platform/deployments/nonsense/v2",
    `/platform/deployments/${deploymentId}/v2/%2e%2e/state`,
    `/platform/deployments/${deploymentId}/v2/../state`,
    `/platform/deployments/${deploymentId}/v2//models`,
    `/platform/deployments/${deploymentId}/v2/models%2fdigits`,
    `/platform/deployments/${deploymentId}/v2/models;x`,
  ])("is 404 where there is nothing: %s", async (path) => {
    // Not by fetch, which tidies paths up.
    const asked = get({ port: rig.port, host: "127.0.0.1", path, headers: { authorization: "Bearer good" } });
    const [answer]: IncomingMessage[] = await once(asked, "response");
    const body = JSON.parse((await answer?.toArray())?.join("") ?? "");
    expect([answer?.statusCode, body]).toEqual([404, expect.objectContaining({ detail: "Not found" })]);
  });

  it.each(["/v3", "/v20", "", "/state", "/metrics"])("leaves %j to others", async (path) => {
    expect((await rig.ask(path)).status).toBe(418);
  });

  it.each(["DELETE", "PUT"])("takes no %s", async (method) => {
    const answer = await rig.ask(infer, { ...predicting(1), method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });

  it("says what it takes to who shows no credential: a browser asks so before it sends one", async () => {
    const answer = await rig.ask(infer, { method: "OPTIONS", headers: {} });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  });

  it("answers a HEAD as a GET without its body", async () => {
    const answer = await rig.ask("/v2/models/digits", { ...predicting(1), method: "HEAD", body: null });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
  });

  it("takes no larger body than the deployment does, announced or not", async () => {
    rig.route.maxBodyBytes = 5_000;
    rig.changed();
    const large = "x".repeat(6_000);
    const announced = await rig.ask(infer, predicting(large));
    expect([announced.status, await announced.json()]).toEqual([
      413,
      { detail: "The body is larger than 5000 bytes", code: "body_too_large" },
    ]);
    const chunks = new ReadableStream({
      async pull(controller) {
        controller.enqueue(Buffer.from(large));
        controller.close();
      },
    });
    const streamed = await rig.ask(infer, { ...predicting(""), body: chunks, duplex: "half" } as RequestInit);
    expect(streamed.status).toBe(413);
    rig.route.maxBodyBytes = 1_000_000;
    rig.changed();
    expect((await rig.ask(infer, predicting(1))).status).toBe(200);
  });

  it("carries large answers", async () => {
    const answer = await rig.ask(infer, predicting({ length: 4_000_000 }));
    expect((await answer.text()).length).toBeGreaterThan(4_000_000);
  });

  it("releases its permit, however it ends", async () => {
    const leaving = new AbortController();
    const asked = rig.ask(infer, { ...predicting({ ms: 3_000 }), signal: leaving.signal });
    await eventually(async () => (await runtime.state()).in_flight > 0);
    expect(rig.taken()).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    // The instance hears of it, too: its place is worth more than ours.
    await eventually(async () => (await runtime.state()).in_flight === 0);
    await eventually(() => rig.taken() === 0);
  });

  it("is 504 when it takes longer than it may", async () => {
    const answer = await rig.ask(infer, predicting({ ms: 60_000 }));
    expect([answer.status, await answer.json()]).toEqual([504, { error: "The prediction took longer than 4000 ms" }]);
  });

  it("is 503 with a time to come back when nothing serves", async () => {
    rig.route.isDown = true;
    rig.changed();
    const answer = await rig.ask(infer, predicting(1));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    rig.route.isDown = false;
    expect((await rig.ask(infer, predicting(1))).status).toBe(200);
  });
});

describe("two versions", () => {
  it("answer shares as their weights say", async () => {
    await using stable = await startHandler(handlerOf("stable"));
    await using canary = await startHandler(handlerOf("canary"));
    await using rig = await startPredictionRig([
      target(stable.url, { weight: 80, deploymentVersionId: "stable" }),
      target(canary.url, { weight: 20, deploymentVersionId: "canary" }),
    ]);
    const count = 1_000;
    let canaries = 0;
    for (let asked = 0; asked < count; asked += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => rig.ask(infer, predicting(1))));
      for (const answer of answers) {
        const { output }: { output: { version: string } } = JSON.parse(await answer.text());
        expect(answer.headers.get("x-deployment-version")).toBe(output.version);
        if (output.version === "canary") canaries++;
      }
    }
    // Five standard deviations of a fair draw: √(1000 × 0.2 × 0.8) = 12.6.
    expect(Math.abs(canaries - 200)).toBeLessThan(64);
  });

  it("stand in for each other when one is gone", async () => {
    await using left = await startHandler(handlerOf("left"));
    const gone = await startHandler(handlerOf("gone"));
    await using rig = await startPredictionRig([
      target(left.url, { weight: 1, deploymentVersionId: "left" }),
      target(gone.url, { weight: 1_000_000, deploymentVersionId: "gone" }),
    ]);
    expect((await rig.ask(infer, predicting(1))).headers.get("x-deployment-version")).toBe("gone");
    await gone[Symbol.asyncDispose]();
    const answer = await rig.ask(infer, predicting("x".repeat(100_000)));
    expect([answer.status, answer.headers.get("x-deployment-version")]).toEqual([200, "left"]);
  });
});

describe("an instance that", () => {
  it("is killed in the middle of a prediction is told of", async () => {
    const runtime = await startHandler(handlerOf("killed"));
    await using rig = await startPredictionRig([target(runtime.url)]);
    const asked = rig.ask(infer, predicting({ ms: 60_000 }));
    await eventually(async () => (await runtime.state()).in_flight > 0);
    await runtime[Symbol.asyncDispose]();
    const answer = await asked;
    expect([answer.status, answer.headers.get("retry-after"), await answer.json()]).toEqual([
      502,
      "1",
      { detail: "The prediction broke off; it may have been computed", code: "prediction_broken_off" },
    ]);
    const next = await rig.ask(infer, predicting(1));
    expect([next.status, next.headers.get("retry-after"), await next.json()]).toEqual([
      503,
      "1",
      { detail: "The deployment does not answer at the moment; try again", code: "deployment_unavailable" },
    ]);
    expect(rig.taken()).toBe(0);
  });

  it("is another's by now is not believed", async () => {
    await using runtime = await startHandler(handlerOf("other"));
    await using rig = await startPredictionRig([target(runtime.url, { token: "of-another-version-0123456789" })]);
    const answer = await rig.ask(infer, predicting(1));
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([503, null]);
  });

  it("never answers is given up", async () => {
    await using instance = await listening(() => {});
    await using rig = await startPredictionRig([target(instance.url)]);
    rig.route.timeoutMs = 200;
    const answer = await rig.ask(infer, predicting(1));
    expect([answer.status, await answer.json()]).toEqual([
      504,
      { detail: "The prediction took too long", code: "prediction_timeout" },
    ]);
  });

  it("speaks no HTTP is 502", async () => {
    const server = createTcpServer((socket) => socket.on("error", () => {}).end("what?\r\n\r\n")).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await using rig = await startPredictionRig([target(`http://127.0.0.1:${port}`)]);
    expect((await rig.ask(infer, predicting(1))).status).toBe(502);
    server.close();
  });

  it("breaks off its answer breaks off ours", async () => {
    await using instance = await listening((_, response) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write("beginning");
      setImmediate(() => response.destroy());
    });
    await using rig = await startPredictionRig([target(instance.url)]);
    const answer = await rig.ask(infer, predicting(1));
    await expect(answer.text()).rejects.toThrow();
    expect((await rig.ask("/v2")).status).toBe(200);
  });

  it("streams is heard from its first byte", async () => {
    let finish = () => {};
    await using instance = await listening((_, response) => {
      response.write("first ");
      finish = () => response.end("last");
    });
    await using rig = await startPredictionRig([target(instance.url)]);
    const answer = await rig.ask(infer, predicting(1));
    const reader = answer.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first ");
    finish();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("last");
  });

  it("sees nothing of the caller, and says nothing under our name", async () => {
    let seen: IncomingMessage["headers"] = {};
    await using instance = await listening((request, response) => {
      seen = request.headers;
      response.writeHead(200, {
        "set-cookie": "a=b",
        "access-control-allow-origin": "*",
        "content-security-policy": "none",
        "x-request-id": "theirs",
        "www-authenticate": "Basic",
        "content-type": "application/json",
        location: "http://elsewhere.example/",
        server: "secret",
        "retry-after": "7",
      });
      response.end("{}");
    });
    await using rig = await startPredictionRig([target(instance.url)]);
    const answer = await rig.ask(infer, {
      ...predicting(1),
      headers: {
        authorization: "Bearer good",
        "api-key": "secret",
        cookie: "session=secret",
        "x-caller-context": "secret",
        "x-forwarded-for": "1.2.3.4",
        forwarded: "for=secret",
        "x-anything": "secret",
        "content-type": "application/json",
        "x-request-id": "ours",
      },
    });
    expect(JSON.stringify(seen)).not.toMatch(/secret|good|1\.2\.3\.4|signed/);
    expect(seen).toMatchObject({
      authorization: `Bearer ${instanceToken}`,
      "content-type": "application/json",
      "x-request-id": "ours",
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({ "x-request-id": "ours", "retry-after": "7" });
    const theirs = ["set-cookie", "access-control-allow-origin", "www-authenticate", "location", "server"];
    expect(theirs.map((name) => answer.headers.get(name))).toEqual(theirs.map(() => null));
    expect(answer.headers.get("content-security-policy")).not.toBe("none");
  });
});

async function listening(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
