import { once } from "node:events";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { StreamService } from "@aiplatform/contract/aiplatform/gateway/v1/streams";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { LogLineService } from "@aiplatform/contract/aiplatform/training/v1/log_lines";
import { eventually, listenOnLoopback } from "@aiplatform/testkit";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { createRestEntryPoint } from "../src/rest/entry-point.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";

const id = "019c6b7e-23bf-70d2-a44a-4cb62c85fc3a";
const deployment = `/platform/deployments/${id}/stream`;
const log = `/platform/pipelines/${id}/runs/${id}/jobs/train/logs/stream`;

/** A mesh whose callers may read deployments. Each of its streams says once how it was called, and waits until its caller leaves. */
function meshWith(seen: Headers[]) {
  return createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer: organisationId }) {
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const permissions = ["deployments:read"];
        const caller = { organisationId, memberId: "m", credentialId: organisationId, permissions, expiresAt };
        return { signedContext: "signed", caller };
      },
    });
    service(DeploymentService, {
      async *watchDeployment(_, { requestHeader, signal }) {
        seen.push(requestHeader);
        yield { deployment: { id } };
        await once(signal, "abort");
      },
    });
    service(LogLineService, {});
  });
}

async function startGateway(limits: { organisationStreams: number }) {
  const seen: Headers[] = [];
  const mesh = meshWith(seen);
  const { control, sourceOf, taken, refusals } = createAdmissionRig(mesh, limits);
  const transcoder = createTranscoder({
    services: [DeploymentService, LogLineService, StreamService],
    call: callerFromTransport(() => mesh),
  });
  const draining = new AbortController();
  const observation = silentObservation();
  const rest = createRestEntryPoint(control, { transcoder, observation, sourceOf, draining: draining.signal });
  const server = createEdgeServer((request, response) => void rest.handle(request, response));
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const leaving = new AbortController();
  const ask = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      headers: { authorization: "Bearer a", "content-type": "application/json" },
      signal: leaving.signal,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    /** So many events, or all when the connection ends before. */
    const events = async (count: number) => {
      for (let lines = text.split("\n"); lines.length <= count; lines = text.split("\n")) {
        const part = await reader?.read();
        if (!part || part.done) break;
        text += part.value;
      }
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    return { status: response.status, events };
  };
  const follow = (...paths: string[]) => ask("/platform/streams", { streams: paths.map((path) => ({ path })) });
  return {
    ...{ seen, taken, refusals, ask, follow },
    drain: () => draining.abort(),
    leave: () => leaving.abort(),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await stopEdgeServer(server, 0);
    },
  };
}

describe("a stream of the gateway", () => {
  it("ends with the word to come back when the gateway drains", async () => {
    await using gateway = await startGateway({ organisationStreams: 10 });
    const { events } = await gateway.ask(deployment);
    await events(1);
    gateway.drain();
    const [, end] = await events(99);
    expect(end).toEqual({ error: { detail: "The gateway is stopping", code: "reconnect" } });
    await eventually(() => gateway.taken() === 0, "the permits to be released");
  });
});

describe("several streams over one connection to the gateway", () => {
  it("are each called with what the caller has shown, so that the service ends them with the credential", async () => {
    await using gateway = await startGateway({ organisationStreams: 10 });
    const { events } = await gateway.follow(deployment, deployment);
    expect((await events(2)).map(({ data }) => data.id)).toEqual([id, id]);
    expect(gateway.seen.map((headers) => headers.get("authorization"))).toEqual(["Bearer a", "Bearer a"]);
    expect(gateway.seen.every((headers) => headers.has("x-caller-context"))).toBe(true);
  });

  it("are each refused without their permission, and recorded as if they were alone", async () => {
    await using gateway = await startGateway({ organisationStreams: 10 });
    const { events } = await gateway.follow(log, deployment);
    const [refused] = (await events(2)).filter(({ stream }) => stream === 0);
    expect(refused.problem).toMatchObject({ status: 403, body: { detail: expect.stringContaining("metrics:read") } });
    expect(gateway.refusals.map(({ rpc }) => rpc)).toEqual(["aiplatform.training.v1.LogLineService/WatchLogLines"]);
  });

  it("each have a permit, and one more for the connection; what has none is refused, and the others go on", async () => {
    await using gateway = await startGateway({ organisationStreams: 3 });
    const { events } = await gateway.follow(deployment, deployment, deployment);
    const all = await events(3);
    expect(all.filter(({ data }) => data !== null)).toHaveLength(2);
    expect(all.find(({ problem }) => problem !== null)?.problem).toMatchObject({
      status: 429,
      body: { code: "too_many_streams" },
    });
    expect(gateway.taken()).toBe(3);
    gateway.leave();
    await eventually(() => gateway.taken() === 0, "the permits to be released");
  });

  it("end with the connection when the gateway drains, and do not say that they have ended", async () => {
    await using gateway = await startGateway({ organisationStreams: 10 });
    const { events } = await gateway.follow(deployment, deployment);
    await events(2);
    gateway.drain();
    expect((await events(99)).filter(({ ended, problem }) => ended || problem)).toEqual([]);
    await eventually(() => gateway.taken() === 0, "the permits to be released");
  });
});
