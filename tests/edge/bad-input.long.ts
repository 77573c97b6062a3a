import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ask } from "../mesh/rest.ts";
import { bodies } from "./body-payloads.ts";
import { converse, type Outcome } from "./conversation.ts";
import {
  allowedOrigin,
  type EdgeEnvironment,
  headersTimeoutMs,
  type Lane,
  ownEdgeEnvironment,
  requestTimeoutMs,
} from "./edge-environment.ts";
import { pathRows } from "./path-tricks.ts";
import { RawConnection } from "./raw-connection.ts";
import { type Payload, payloads } from "./request-payloads.ts";

const environment: EdgeEnvironment = await ownEdgeEnvironment();
const mebibyte = 1_048_576;

/** What the gateway may take for all of it together: many connections at once, bodies of a megabyte, a large heap's slack. */
const maxGrowth = 192 * mebibyte;
let before = 0;

beforeAll(async () => {
  // Once through everything, so that what is loaded and compiled at the first request is not counted.
  for (const { post, get, body } of environment.lanes()) {
    await ask(environment.description, { path: post, body });
    await ask(environment.description, { path: get });
  }
  before = await environment.gatewayMemory();
});

/** Answers of many at once are given in the order in which they were asked for. */
const say = (bytes: string | Buffer, id: string, outcome: Outcome, finishes = false) => {
  const { gateway } = environment.description;
  return converse({ gateway, bytes, id, outcome, finishes });
};

const ways = ["REST", "Connect", "notebooks", "predictions"];
/** So many at once that none is slow for the others' sake. */
const maxAtOnce = 24;

describe("bytes that two readers may read as other requests", () => {
  const seen = new Map<string, Outcome>();

  const send = async (lane: Lane, { name, bytes, outcome, finishes }: Payload, at: number) => {
    const { bearer } = environment.description;
    const id = `${lane.name}-${at}`;
    seen.set(`${lane.name}: ${name}`, await say(bytes({ lane, bearer, id }), id, outcome, finishes));
  };

  beforeAll(async () => {
    const all = environment.lanes().flatMap((lane) => payloads.map((payload, at) => () => send(lane, payload, at)));
    const isPatient = (_: unknown, at: number) => payloads[at % payloads.length]?.outcome[0] === 408;
    const patient = all.filter(isPatient).map((begin) => begin());
    const others = all.filter((each, at) => !isPatient(each, at));
    const sender = async () => {
      for (let next = others.pop(); next; next = others.pop()) await next();
    };
    await Promise.all([...patient, ...Array.from({ length: maxAtOnce }, sender)]);
  }, 120_000);

  describe.each(ways)("by way of %s", (way) => {
    it.each(payloads.map(({ name, outcome }) => [name, outcome] as const))("%s: %j", (name, outcome) => {
      expect(seen.get(`${way}: ${name}`)).toEqual(outcome);
    });
  });
});

describe("what hides in a body or in a target", () => {
  it("was a request to no service behind the gateway", async () => {
    const { asked } = environment.hub;
    expect(asked.filter((line) => /smuggled|malformed/.test(line))).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    const log = await environment.logOf("training");
    expect(log).toContain("Connect-");
    expect(log.match(/smuggled-[A-Za-z]+-\d+/g)).toBeNull();
  });
});

describe("a body that is none", () => {
  it.each(bodies.map((row) => [row.name, row] as const))("%s", async (_, { body, headers, status, says }) => {
    const started = performance.now();
    const response = await fetch(`${environment.description.gateway}/organisations/roles/`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${environment.description.bearer}`,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });
    const text = await response.text();
    const { detail, code } = JSON.parse(text);
    expect([response.status, Array.isArray(detail) ? detail[0].type : code]).toEqual([status, says]);
    expect(text.length).toBeLessThanOrEqual(256 * 1_024);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  const twice = '{"name":"first","slug":"twice","name":"last","permission_ids":["x:y"],"permission_ids":[]}';

  it("means one thing at every hop where a key stands twice: the last", async () => {
    const { status, body } = await ask(environment.description, { path: "/organisations/roles/", body: twice });
    expect([status, body.name]).toEqual([201, "last"]);
    const { body: kept } = await ask(environment.description, { path: "/platform/roles" });
    const isIt = ({ slug }: { slug: string }) => slug === "twice";
    expect(kept.find(isIt)).toMatchObject({ name: "last", permission_ids: [] });
  });

  it("is refused where a key stands twice in a call that is passed on", async () => {
    const path = "/aiplatform.identity.v1.RoleService/CreateRole";
    const { status, body } = await ask(environment.description, { path, body: twice });
    expect([status, body.code]).toEqual([400, "invalid_argument"]);
  });

  it.each([
    ["UTF-8 with a mark of its byte order", "utf8", "\ufeff"],
    ["UTF-16", "utf16le", ""],
    ["UTF-16 with such a mark", "utf16le", "\ufeff"],
  ] as const)("may come as %s", async (_, encoding, mark) => {
    const role = JSON.stringify({ name: "Rôle", slug: `encoded-${randomUUID()}`, permission_ids: [] });
    const response = await fetch(`${environment.description.gateway}/organisations/roles/`, {
      method: "POST",
      headers: { authorization: `Bearer ${environment.description.bearer}`, "content-type": "application/json" },
      body: Buffer.from(mark + role, encoding),
    });
    expect(await response.json()).toMatchObject({ name: "Rôle" });
  });
});

describe("a target that others might read as another", () => {
  it("is what it says or nothing", async () => {
    const [rest, , , predictions] = environment.lanes();
    const rows = pathRows({
      predictions: predictions?.get.replace("/health/ready", "") ?? "",
      runMetrics: rest?.get ?? "",
    });
    const { gateway, bearer } = environment.description;
    const asked = environment.hub.asked.length;
    const answers = rows.map(async ({ target }, at) => {
      using connection = await RawConnection.to(gateway);
      connection.send(
        `GET ${target} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${bearer}\r\nX-Request-Id: path-${at}\r\n\r\n`,
      );
      await connection.until(1);
      const [answer] = connection.answers;
      return [target.slice(0, 100), answer?.status, answer?.headers.get("connection") === "close"];
    });
    expect(await Promise.all(answers)).toEqual(
      rows.map(({ target, status, closes = false }) => [target.slice(0, 100), status, closes]),
    );
    expect(environment.hub.asked.slice(asked)).toEqual([]);
  });
});

describe("a client that takes its time", () => {
  const head = () =>
    `POST ${environment.lanes()[0]?.post} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${environment.description.bearer}`;

  /** Sends a bit every tenth of a second until the connection is over; answers the status and how long it took. */
  async function drip(first: string, drop: string): Promise<[number | undefined, number]> {
    using connection = await RawConnection.to(environment.description.gateway);
    const started = performance.now();
    connection.send(first);
    const timer = setInterval(() => drop !== "" && connection.send(drop), 100);
    await connection.until(1, 30_000);
    clearInterval(timer);
    return [connection.answers[0]?.status, performance.now() - started];
  }

  const slow = [
    ["over its first line", () => ["GET /", "x"], headersTimeoutMs],
    ["over its headers", () => [`${head()}\r\n`, "A: b\r\n"], headersTimeoutMs],
    ["over its body", () => [`${head()}\r\nContent-Length: 9999\r\n\r\n{`, " "], requestTimeoutMs],
    ["over its chunks", () => [`${head()}\r\nTransfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n"], requestTimeoutMs],
  ] as const;
  const ends = new Map<string, [status: number | undefined, took: number]>();

  beforeAll(async () => {
    const dripping = slow.map(async ([name, bytes]) => {
      const [first = "", drop = ""] = bytes();
      ends.set(name, await drip(first, drop));
    });
    await Promise.all(dripping);
  });

  it.each(slow.map(([name, , limitMs]) => [name, limitMs] as const))("%s is told so after %i ms", (name, limitMs) => {
    const [status, took = 0] = ends.get(name) ?? [];
    expect(status).toBe(408);
    expect(took).toBeGreaterThan(limitMs * 0.9);
    expect(took).toBeLessThan(limitMs + 15_000);
  });

  it("keeps no other caller waiting, however many there are", async () => {
    const many = Array.from({ length: 200 }, () => drip(`${head()}\r\n`, "A: b\r\n"));
    const started = performance.now();
    const honest = await ask(environment.description, { path: "/platform/roles" });
    expect([honest.status, performance.now() - started < headersTimeoutMs + 15_000]).toEqual([200, true]);
    expect(new Set((await Promise.all(many)).map(([status]) => status))).toEqual(new Set([408]));
  });
});

describe("a page of another origin", () => {
  const path = "/platform/roles";
  const from = (origin: string, more: { method?: string; path?: string; headers?: Record<string, string> } = {}) =>
    ask(environment.description, { path, ...more, headers: { origin, ...more.headers } });
  const preflight = { method: "OPTIONS", headers: { "access-control-request-method": "POST" } };
  const told = ({ headers }: { headers: Headers }) =>
    [...headers].flatMap(([name, value]) => (name.startsWith("access-control-") ? [[name, value]] : []));

  it("may read an answer and its headers where its origin is listed", async () => {
    const answer = await from(allowedOrigin);
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, allowedOrigin]);
    const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["X-Request-Id", "RateLimit", "Retry-After", "ETag", "Link"]));
    expect(answer.headers.has("access-control-allow-credentials")).toBe(false);
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  it("may read a refusal as well", async () => {
    const answer = await ask(environment.description, { path, bearer: null, headers: { origin: allowedOrigin } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, allowedOrigin]);
  });

  it.each(["REST", "Connect", "predictions"])("is told first what it may send, by %s", async (name) => {
    const lane = environment.lanes().find((each) => each.name === name);
    const answer = await ask(environment.description, {
      ...preflight,
      path: lane?.post ?? "",
      bearer: null,
      headers: { ...preflight.headers, origin: allowedOrigin },
    });
    expect([answer.status, answer.headers.get("access-control-max-age")]).toEqual([204, "600"]);
    expect(answer.headers.get("access-control-allow-methods")?.split(", ")).toEqual(
      expect.arrayContaining(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
    );
    const headers = answer.headers.get("access-control-allow-headers")?.split(", ");
    expect(headers).toEqual(expect.arrayContaining(["Authorization", "Content-Type", "Idempotency-Key", "Api-key"]));
  });

  it.each([
    "https://other.example",
    `${allowedOrigin}.evil.example`,
    `${allowedOrigin}:8443`,
    allowedOrigin.replace("https", "http"),
    allowedOrigin.toUpperCase(),
    "null",
    "*",
  ])("is told nothing where its origin is not listed: %s", async (origin) => {
    for (const more of [{}, preflight]) {
      const answer = await from(origin, more);
      expect([told(answer), answer.headers.get("vary")]).toEqual([[], expect.stringMatching(/^Origin\b/)]);
    }
  });

  it("is told nothing of what a notebook hub answers", async () => {
    const answer = await from(allowedOrigin, { path: "/notebooks/hub/home" });
    expect([answer.status, told(answer)]).toEqual([200, []]);
  });

  it("gets a large answer under both of the things it depends on", async () => {
    const answer = await from(allowedOrigin, { path: "/platform/audit?limit=100" });
    expect(answer.headers.get("vary")).toBe("Origin, Accept-Encoding");
  });
});

describe("all of that", () => {
  it("costs the gateway no more memory than it may", async () => {
    expect((await environment.gatewayMemory()) - before).toBeLessThan(maxGrowth);
  });

  it("leaves the gateway as it was", async () => {
    expect((await ask(environment.description, { path: "/platform/roles" })).status).toBe(200);
    expect(await environment.logOf("gateway")).not.toMatch(/"level":(50|60)/);
  });
});
