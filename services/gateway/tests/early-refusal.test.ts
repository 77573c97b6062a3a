import { rateLimitError } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { eventually, listenOnLoopback, serviceAssertions } from "@aiplatform/testkit";
import { callerFromTransport, createTranscoder } from "@aiplatform/transcoder";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { afterEach, describe, expect, it } from "vitest";
import { createEarlyRefusal, type RefusedEarly } from "../src/admission/early-refusal.ts";
import type { RequestLimits } from "../src/admission/request-limiter.ts";
import { createEdgeServer, type EdgeServer, stopEdgeServer } from "../src/edge/server.ts";
import { createRestEntryPoint } from "../src/rest/entry-point.ts";
import { createRpcProxy } from "../src/rpc/proxy.ts";
import { refusalAnswer } from "../src/rpc/refusal-answer.ts";
import { createAdmissionRig, silentObservation } from "./admission-rig.ts";

let server: EdgeServer | undefined;
afterEach(async () => {
  if (server) await stopEdgeServer(server, 0);
});

/** Identity, to which the key `of-<organisation>` is good, and whose own operation answers as `answer` says. */
function identityWith(answer: () => Promise<void>) {
  return createRouterTransport(({ service }) => {
    service(CredentialService, {
      exchangeCredential({ bearer }) {
        const [, organisationId] = /^of-(.*)$/.exec(bearer) ?? [];
        if (!organisationId) throw new ConnectError("unknown", Code.Unauthenticated);
        const expiresAt = timestampFromDate(new Date(Date.now() + 60_000));
        const caller = { organisationId, credentialId: bearer, permissions: ["oauth:link"], expiresAt };
        return { signedContext: "signed", caller };
      },
    });
    service(ExternalOauthService, {
      async listExternalLinks() {
        await answer();
        return {};
      },
      completeExternalLink: () => ({}),
    });
  });
}

/** The gateway's edge as far as refusals go. */
async function startEdge(limits: Partial<RequestLimits>, answer: () => Promise<void> = async () => {}) {
  const identity = identityWith(answer);
  const { control, exchange, limiter, sourceOf, writeRateLimitHeaders } = createAdmissionRig(identity, {
    requestsPerSecond: 1_000,
    organisationConcurrency: 100,
    totalConcurrency: 100,
    anonymousPerMinute: 100,
    ...limits,
  });
  const transcoder = createTranscoder({
    services: [ExternalOauthService],
    call: callerFromTransport(() => identity),
  });
  const draining = new AbortController().signal;
  const rest = createRestEntryPoint(control, { transcoder, observation: silentObservation(), sourceOf, draining });
  const targets = [{ upstream: "identity" as const, url: "http://127.0.0.1:1", services: [ExternalOauthService] }];
  const rpcs = createRpcProxy(control, {
    assertions: serviceAssertions("gateway"),
    sourceOf,
    targets,
    limits: { bodyBytes: 1_000, bodyTimeoutMs: 1_000 },
    maxConnectionsPerService: 1,
  });
  const refused: RefusedEarly[] = [];
  let begun = 0;
  const early = createEarlyRefusal({
    entryPoints: [rest, rpcs.entryPoint],
    preview: limiter.preview,
    known: (credential) => exchange.known(credential),
    answers: {
      rate: refusalAnswer(rateLimitError("RATE_LIMITED")),
      calls: refusalAnswer(rateLimitError("OVERLOADED")),
      total: refusalAnswer(rateLimitError("OVERLOADED")),
    },
    writeRateLimitHeaders,
    refused: (_, why) => void refused.push(why),
  });
  server = createEdgeServer((request, response) => {
    if (early.refuse(request, response)) return;
    begun += 1;
    if (!rest.handle(request, response)) response.writeHead(418).end("{}");
  });
  const url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const path = (rpc: string) => transcoder.operations.find(({ method }) => method.name === rpc)?.path ?? "";
  const ask = async (key: string) => {
    const answered = await fetch(`${url}${path("ListExternalLinks")}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answered.status, headers: answered.headers, body: await answered.text() };
  };
  return { url, ask, limiter, refused, begun: () => begun };
}

/** Calls that wait until they are let go. */
function heldCalls() {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { answer: () => held, letGo };
}

describe("an organisation far above its rate", () => {
  it("is told 429 and when to come again before anything is begun for its requests", async () => {
    const { ask, refused, begun } = await startEdge({ requestsPerSecond: 1 });
    const answers = [];
    for (let count = 0; count < 40; count += 1) answers.push(await ask("of-noisy"));
    const late = answers.filter(({ status }) => status === 429);
    expect(late.length).toBeGreaterThan(0);
    for (const { headers, body } of late) {
      expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("ratelimit")).toBe('"organisation";r=0;t=1');
      expect(JSON.parse(body)).toEqual({ detail: "Too many requests; slow down", code: "rate_limited" });
    }
    expect(refused).toHaveLength(late.length);
    expect(refused[0]).toMatchObject({ organisationId: "noisy", reason: "RATE_LIMITED" });
    expect(begun()).toBe(answers.length - late.length);
  });

  it("is told so in the form of its protocol where it calls an RPC", async () => {
    const { url, ask } = await startEdge({ requestsPerSecond: 1 });
    const rpc = `${url}/${ExternalOauthService.typeName}/ListExternalLinks`;
    const headers = { authorization: "Bearer of-noisy", "content-type": "application/json" };
    for (let status = 0; status !== 429; ) {
      await ask("of-noisy");
      const answered = await fetch(rpc, { method: "POST", body: "{}", headers });
      status = answered.status;
      const body: unknown = await answered.json();
      if (status !== 429) continue;
      expect(answered.headers.get("retry-after")).toBe("1");
      expect(body).toMatchObject({ code: "resource_exhausted", message: "Too many requests; slow down" });
    }
  });

  it("is no reason to refuse another one, or a credential that is not known yet", async () => {
    const { ask } = await startEdge({ requestsPerSecond: 20 });
    await ask("of-quiet");
    await Promise.all(Array.from({ length: 60 }, () => ask("of-noisy")));
    expect((await ask("of-quiet")).status).toBe(200);
    expect((await ask("unknown")).status).toBe(401);
    expect((await ask("of-new")).status).toBe(200);
  });
});

describe("a service that has as many calls as it does in time", () => {
  const calls = { initial: 2, min: 2, max: 2, slackMs: 10_000 };

  it("is asked for no more: 503 before anything is begun, and none of it is charged to the organisation's rate", async () => {
    const { answer, letGo } = heldCalls();
    const { ask, limiter, refused } = await startEdge({ calls }, answer);
    const held = [ask("of-noisy"), ask("of-noisy")];
    await eventually(() => limiter.callLimits.get("identity")?.inFlight === 2);
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask("of-noisy")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(answers.map(() => "1"));
    expect(refused).toHaveLength(30);
    expect(refused[0]).toMatchObject({ organisationId: "noisy", reason: "OVERLOADED", shed: "calls" });
    // At most the two that are held.
    expect(limiter.preview.stateOf("noisy").remaining).toBeGreaterThanOrEqual(998);
    const quiet = ask("of-quiet");
    await eventually(() => limiter.callLimits.get("identity")?.inFlight === 3);
    letGo();
    expect([await quiet, ...(await Promise.all(held))].map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("that is away is not charged to the rate of those who ask", async () => {
    const away = () => Promise.reject(new ConnectError("away", Code.Unavailable));
    const { ask, refused } = await startEdge({ requestsPerSecond: 3 }, away);
    const statuses = [];
    for (let count = 0; count < 30; count += 1) statuses.push((await ask("of-a")).status);
    expect(statuses).toEqual(statuses.map(() => 503));
    expect(refused).toEqual([]);
  });
});
