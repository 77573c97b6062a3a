import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { ExternalOauthService } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";
import { type Answer, ask, type Json, metricsPath, until } from "../mesh/rest.ts";

const anonymousPerMinute = 5;

let running: LocalPlatform;
let platform: LocalPlatform["description"];
ownPlatform(
  (started) => {
    running = started;
    platform = started.description;
  },
  {
    settings: {
      gateway: { TRUSTED_PROXIES: "127.0.0.0/8", ANONYMOUS_REQUESTS_PER_MINUTE: String(anonymousPerMinute) },
    },
  },
);

/** The request of a client at `source`, as a load balancer in front would pass it on. */
const askFrom = (
  source: string,
  bearer: string | null,
  more: { path?: string; headers?: Record<string, string> } = {},
) =>
  ask(platform, {
    path: more.path ?? metricsPath(platform, "?max_points=0"),
    bearer,
    headers: { "x-forwarded-for": source, ...more.headers },
  });

const badKey = () => `aip_${randomUUID().replaceAll("-", "")}`;

async function statusesInTurn(times: number, send: () => Promise<Answer>): Promise<number[]> {
  const statuses = [];
  for (let i = 0; i < times; i += 1) statuses.push((await send()).status);
  return statuses;
}

const count = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;

describe("two hundred bad keys from one source within a minute", () => {
  const source = "198.51.100.10";

  it("are answered 401, from the twentieth on 429 with a time to come back", async () => {
    // Known to be good before the attack; a client of the same office, say.
    expect((await askFrom(source, platform.api_key)).status).toBe(200);
    const statuses = await statusesInTurn(200, () => askFrom(source, badKey()));
    expect(statuses.slice(0, 19)).toEqual(Array(19).fill(401));
    expect(statuses.slice(19)).toEqual(Array(181).fill(429));
    const { headers, body } = await askFrom(source, badKey());
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(body.code).toBe("too_many_failed_credentials");
  });

  it("do not keep out who is known to be good at the same source", async () => {
    expect((await askFrom(source, platform.api_key)).status).toBe(200);
  });

  it("keep out a credential that was not seen before, good or not", async () => {
    expect((await askFrom(source, platform.foreign.api_key)).status).toBe(429);
  });

  it("do not concern other sources, whatever the attacker writes in front of its own address", async () => {
    expect((await askFrom("203.0.113.5", platform.bearer)).status).toBe(200);
    expect((await askFrom("203.0.113.5", badKey())).status).toBe(401);
    expect((await askFrom(`203.0.113.5, ${source}`, badKey())).status).toBe(429);
  });

  it("do not concern requests that show no credential", async () => {
    expect((await askFrom(source, null)).status).toBe(401);
  });

  it("count for calls that are passed through as well", async () => {
    const client = createClient(RunService, createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" }));
    const headers = { authorization: `Bearer ${badKey()}`, "x-forwarded-for": source };
    const error = await client.getRun({ runId: platform.run_id }, { headers }).catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.ResourceExhausted });
  });
});

describe("bad keys sent all at once", () => {
  it("get no further than in turn", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => askFrom("198.51.100.20", badKey())));
    const statuses = answers.map(({ status }) => status);
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([19, 181]);
  });
});

describe("bad keys from addresses of one IPv6 network", () => {
  it("count together", async () => {
    let next = 0;
    const statuses = await statusesInTurn(25, () => askFrom(`2001:db8:1:2::${(++next).toString(16)}`, badKey()));
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([19, 6]);
    expect((await askFrom("2001:db8:1:3::1", badKey())).status).toBe(401);
  });
});

const passedThrough: [string, string, () => Transport][] = [
  ["Connect", "198.51.100.31", () => createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" })],
  ["gRPC-Web", "198.51.100.32", () => createGrpcWebTransport({ baseUrl: platform.gateway, httpVersion: "1.1" })],
];

describe.each(passedThrough)("bad keys in %s calls", (_, source, transport) => {
  const codeOf = (key: string) =>
    createClient(RunService, transport())
      .getRun({ runId: platform.run_id }, { headers: { authorization: `Bearer ${key}`, "x-forwarded-for": source } })
      .then(
        () => "OK",
        (error: unknown) => Code[ConnectError.from(error).code],
      );

  it("are refused by the service in its own words, and from the twentieth on before they get there", async () => {
    expect(await codeOf(platform.api_key)).toBe("OK");
    const codes = [];
    for (let i = 0; i < 25; i += 1) codes.push(await codeOf(badKey()));
    expect(codes.slice(0, 19)).toEqual(Array(19).fill("Unauthenticated"));
    expect(codes.slice(19)).not.toContain("Unauthenticated");
    expect(await codeOf(platform.api_key)).toBe("OK");
    expect((await askFrom(source, badKey())).status).toBe(429);
  });
});

describe("the record of what the gateway refuses", () => {
  const installation = async (query: string) => {
    const bearer = await readFile(join(running.directory, "secrets", "operator-key"), "utf8");
    return ask(platform, { path: `/platform/installation/audit${query}`, bearer });
  };
  const recordOf = (requestId: string, list: () => Promise<Answer>) =>
    until(
      `the record of ${requestId}`,
      20,
      async () => (await list()).body.filter((record: Json) => record.request_id === requestId),
      (records) => records.length > 0,
    );

  it("is one of a bad credential, with where it came from", async () => {
    const requestId = "refused-401";
    await askFrom("198.51.100.60", badKey(), { headers: { "x-request-id": requestId } });
    expect(await recordOf(requestId, () => installation("?limit=1000"))).toEqual([
      expect.objectContaining({
        organisation_id: null,
        action: "mesh.call.refused",
        outcome: "refused",
        reason: "CREDENTIAL_MALFORMED",
        rpc: "aiplatform.training.v1.RunMetricsService/GetRunMetrics",
        source_address: "198.51.100.60",
      }),
    ]);
  });

  it("is one of a missing permission, with who lacked it", async () => {
    const limited = await ask(platform, {
      path: "/platform/api-keys",
      body: { name: "limited", permission_ids: ["metrics:read"] },
    });
    const requestId = "refused-403";
    const answer = await askFrom("198.51.100.61", limited.body.secret, {
      path: "/platform/roles",
      headers: { "x-request-id": requestId },
    });
    expect(answer.status).toBe(403);
    const records = await recordOf(requestId, () => ask(platform, { path: `/platform/audit?request_id=${requestId}` }));
    expect(records).toEqual([
      expect.objectContaining({
        organisation_id: platform.organisation_id,
        actor: { member_id: null, credential_id: limited.body.api_key.id },
        reason: "PERMISSION_MISSING",
        source_address: "198.51.100.61",
      }),
    ]);
  });

  it("has no rejected requests", async () => {
    const source = "198.51.100.62";
    await statusesInTurn(25, () => askFrom(source, badKey()));
    await askFrom("198.51.100.63", badKey(), { headers: { "x-request-id": "after-all" } });
    await recordOf("after-all", () => installation("?limit=1000"));
    const counted = async () => {
      const { body } = await installation("?limit=1000");
      const records = body.filter((record: Json) => record.source_address === source);
      return records.reduce((sum: number, { count }: Json) => sum + count, 0);
    };
    const all = await until("the count of the refusals", 30, counted, (count) => count >= 19);
    expect(all).toBe(19);
  });
});

describe("the refusal of a credential", () => {
  it.each([
    ["where a token was shown", { authorization: "Bearer nonsense" }, 'Bearer error="invalid_token"'],
    ["where another scheme was used", { authorization: "Basic YTpi" }, 'Bearer error="invalid_token"'],
    ["where nothing was shown", {}, "Bearer"],
  ])("says by the standard what is wrong, %s", async (_, headers: Record<string, string>, challenge) => {
    const answer = await askFrom("198.51.100.40", null, { headers });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge]);
  });
});

describe("an operation that asks for no credential", () => {
  const callback = "/platform/external-oauth/callback?state=unknown&code=unknown";
  const fromPage = (source: string, more?: Record<string, string>) =>
    askFrom(source, null, { path: callback, ...(more && { headers: more }) });

  it("is admitted without one, and with one that is not looked at", async () => {
    for (const more of [undefined, { authorization: `Bearer ${badKey()}` }]) {
      const { status, headers } = await fromPage("198.51.100.50", more);
      expect([401, 403, 404, 429]).not.toContain(status);
      expect(headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("is admitted so often in a minute from one source, and from another all the same", async () => {
    const statuses = await statusesInTurn(anonymousPerMinute + 2, () => fromPage("198.51.100.51"));
    expect(statuses.slice(anonymousPerMinute)).toEqual([429, 429]);
    expect(count(statuses, 429)).toBe(2);
    expect((await fromPage("198.51.100.52")).status).not.toBe(429);
  });

  it("has that one budget over REST and in calls that are passed through", async () => {
    const source = "198.51.100.53";
    await statusesInTurn(anonymousPerMinute, () => fromPage(source));
    const transport = createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" });
    const headers = { "x-forwarded-for": source };
    const call = createClient(ExternalOauthService, transport).completeExternalLink(
      { state: "s", code: "c" },
      { headers },
    );
    expect(await call.catch(ConnectError.from)).toMatchObject({ code: Code.ResourceExhausted });
  });
});

/** What a server answers to bytes that no HTTP client would send. */
function rawAnswer(bytes: string): Promise<Headers> {
  const { hostname, port } = new URL(platform.gateway);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => (text += chunk)).on("error", reject);
    socket.on("close", () => {
      const lines = text.split("\r\n\r\n")[0]?.split("\r\n").slice(1) ?? [];
      resolve(
        new Headers(lines.map((line): [string, string] => [line.split(":")[0] ?? "", line.split(": ")[1] ?? ""])),
      );
    });
  });
}

const headersOf = async (path: string, headers: Record<string, string> = {}, method = "GET") =>
  (await fetch(platform.gateway + path, { method, headers })).headers;

describe("every answer of the gateway", () => {
  const key = () => ({ authorization: `Bearer ${platform.api_key}` });
  const rpc = "/aiplatform.training.v1.RunService/GetRun";
  const noStore = "no-store";

  it.each<[string, () => Promise<Headers>, string]>([
    ["a success", () => headersOf("/platform/roles", key()), noStore],
    ["one with a tag", () => headersOf(metricsPath(platform), key()), "private, no-cache"],
    ["a 401", () => headersOf(metricsPath(platform)), noStore],
    ["a 404 of an operation", () => headersOf(metricsPath({ ...platform, run_id: randomUUID() }), key()), noStore],
    ["a 404 of no operation", () => headersOf("/nothing/here"), noStore],
    ["a 405", () => headersOf(metricsPath(platform), key(), "DELETE"), noStore],
    ["a 422", () => headersOf(metricsPath(platform, "?max_points=x"), key()), noStore],
    ["OPTIONS", () => headersOf(metricsPath(platform), { origin: "https://evil.example" }, "OPTIONS"), noStore],
    ["the API description", () => headersOf("/openapi.json"), "public, max-age=60"],
    ["a call passed through", () => headersOf(rpc, { ...key(), "content-type": "application/json" }, "POST"), noStore],
    ["a refused call", () => headersOf(rpc, { "content-type": "application/json" }, "POST"), noStore],
    ["what is no HTTP", () => rawAnswer("nonsense\r\n\r\n"), noStore],
    ["headers too large", () => rawAnswer(`GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`), noStore],
  ])("is guarded, shows no banner and is for no other origin: %s", async (_, send, cacheControl) => {
    const headers = await send();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe(cacheControl);
    for (const name of ["server", "x-powered-by", "via"]) expect(headers.get(name)).toBeNull();
    expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });
});
