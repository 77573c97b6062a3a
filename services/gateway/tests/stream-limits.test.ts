import { once } from "node:events";
import { createServer } from "node:http";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { createLogger } from "@aiplatform/service-host";
import { eventually, listenOnLoopback } from "@aiplatform/testkit";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createEdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { createPredictionProxy } from "../src/predictions/proxy.ts";
import { PredictionRoutes } from "../src/predictions/routes.ts";
import { createRestEntryPoint } from "../src/rest/entry-point.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";
import { deploymentId, target } from "./prediction-proxy-rig.ts";

const id = "019c6b7e-23bf-70d2-a44a-4cb62c85fc3a";
const permissions = ["deployments:predict", "deployments:read", "metrics:read", "training:command"];
const paths = {
  stream: `/platform/deployments/${deploymentId}/stream`,
  longPoll: `/platform/pipelines/${id}/runs/${id}/jobs/train/commands/${id}?wait_seconds=30`,
  command: `/pipelines/${id}/runs/${id}/training/train/commands`,
  prediction: `/platform/deployments/${deploymentId}/v2/models/digits/infer`,
};

/** The mesh behind the gateway. Streams and long polls wait until their caller leaves. */
function meshWith(instanceUrl: string) {
  return createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer: organisationId }) {
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const caller = { organisationId, memberId: "m", credentialId: organisationId, permissions, expiresAt };
        return { signedContext: "signed", caller };
      },
    });
    service(ControlCommandService, {
      createTrainingControlCommand: () => ({ command: { id } }),
      async getControlCommand(_, { signal }) {
        await once(signal, "abort");
        throw new ConnectError("aborted", Code.Canceled);
      },
    });
    service(DeploymentService, {
      async *watchDeployment(_, { signal }) {
        yield { deployment: { id: deploymentId } };
        await once(signal, "abort");
      },
      resolvePredictionRoute: () => ({
        targets: [target(instanceUrl)],
        timeoutMs: 30_000,
        maxBodyBytes: 1_000n,
        validMs: 60_000,
      }),
    });
  });
}

/** The gateway's edge with room for two organisations that take all they may. `hold` keeps predictions waiting. */
async function startFullable() {
  let isHeld = false;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const instance = createServer(async (request, response) => {
    request.resume();
    if (isHeld) await held;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const mesh = meshWith(`http://127.0.0.1:${await listenOnLoopback(instance)}`);
  const limits = { organisationStreams: 2, totalStreams: 4, organisationConcurrency: 2, totalConcurrency: 4 };
  const { control, sourceOf, taken } = createAdmissionRig(mesh, limits);
  const observation = silentObservation();
  const transcoder = createTranscoder({
    services: [ControlCommandService, DeploymentService],
    call: callerFromTransport(() => mesh),
  });
  const draining = new AbortController().signal;
  const rest = createRestEntryPoint(control, { transcoder, observation, sourceOf, draining });
  const routes = new PredictionRoutes({ client: createClient(DeploymentService, mesh), now: () => performance.now() });
  const predictions = createPredictionProxy(control, {
    ...{ routes, observation, random: Math.random, trust: { acceptsPlain: true } },
    logger: createLogger({ service: "gateway", level: "silent" }),
  });
  const server = createEdgeServer((request, response) => {
    if (!rest.handle(request, response)) predictions.entryPoint.handle(request, response);
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const leaving = new AbortController();
  const ask = (organisation: string, path: keyof typeof paths) => {
    const isPost = path === "command" || path === "prediction";
    const body = path === "command" ? { action: "pause", idempotency_key: id } : {};
    return fetch(url + paths[path], {
      headers: { authorization: `Bearer ${organisation}`, "content-type": "application/json" },
      signal: leaving.signal,
      ...(isPost ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
  };
  /** Fills what two organisations may have of it. */
  const fill = async (...kinds: (keyof typeof paths)[]) => {
    const before = taken();
    const failed: unknown[] = [];
    for (const organisation of ["a", "b"]) {
      for (const kind of kinds) {
        ask(organisation, kind).then(
          ({ ok, status }) => ok || failed.push(new Error(`${kind} was answered ${status}`)),
          (error) => failed.push(error),
        );
      }
    }
    await eventually(() => {
      if (failed.length > 0) throw failed[0];
      return taken() === before + 2 * kinds.length;
    }, "all to be under way");
  };
  return {
    ...{ ask, fill, taken, letGo },
    hold: () => {
      isHeld = true;
    },
    leave: () => leaving.abort(),
    async [Symbol.asyncDispose]() {
      leaving.abort();
      letGo();
      await stopEdgeServer(server, 0);
      await predictions.close();
      instance.close();
      instance.closeAllConnections();
    },
  };
}

const statusOf = async (answer: Promise<Response>) => {
  const { status, body } = await answer;
  await body?.cancel();
  return status;
};

describe("a gateway with as many streams and long polls as it may have", () => {
  it("answers commands and predictions, of the organisations that watch too; they were 503 and 429", async () => {
    await using gateway = await startFullable();
    await gateway.fill("stream", "longPoll");
    for (const organisation of ["a", "b", "c"]) {
      expect(await statusOf(gateway.ask(organisation, "command"))).toBe(201);
      expect(await statusOf(gateway.ask(organisation, "prediction"))).toBe(200);
    }
  });

  it("says to an organisation that has all of its own that these are full", async () => {
    await using gateway = await startFullable();
    await gateway.fill("stream", "longPoll");
    const refused = await gateway.ask("a", "stream");
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: "too_many_streams", detail: expect.stringContaining("streams, long polls") }),
    ]);
  });

  it("keeps a share for another organisation, and says 503 beyond it", async () => {
    await using gateway = await startFullable();
    await gateway.fill("stream", "longPoll");
    const first = await gateway.ask("c", "stream");
    expect(first.status).toBe(200);
    const refused = await gateway.ask("c", "longPoll");
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ code: "streams_full" })]);
  });

  it("gives the places back when they end", async () => {
    await using gateway = await startFullable();
    await gateway.fill("stream", "longPoll");
    gateway.leave();
    await eventually(() => gateway.taken() === 0, "the permits to be released");
  });
});

describe("a gateway with as many predictions as it may have", () => {
  it("opens streams and long polls, and answers a command of another organisation", async () => {
    await using gateway = await startFullable();
    gateway.hold();
    await gateway.fill("prediction", "prediction");
    await gateway.fill("stream", "longPoll");
    expect(await statusOf(gateway.ask("c", "command"))).toBe(201);
  });

  it("says to an organisation that has all of its own that predictions are full", async () => {
    await using gateway = await startFullable();
    gateway.hold();
    for (let count = 0; count < 2; count += 1) gateway.ask("a", "prediction").catch(() => {});
    await eventually(() => gateway.taken() === 2, "both to be under way");
    const refused = await gateway.ask("a", "prediction");
    expect([refused.status, await refused.json()]).toEqual([
      429,
      expect.objectContaining({ code: "too_many_concurrent", detail: expect.stringContaining("predictions") }),
    ]);
  });
});
