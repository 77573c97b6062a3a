import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceAssertionHeader } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { type LocalPlatform, startPlatform } from "@aiplatform/local-platform";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startsWithinMs, withoutCredentialLimit } from "../infra/own-platform.ts";
import { assertionsOf } from "../mesh/internal-calls.ts";
import { ask, commandsPath, jobPath, until } from "../mesh/rest.ts";
import { Canaries, type Sink } from "./canary.ts";
import { badCredentials, calls, canaryHeaders, type FillOptions, fill, operations, restRequest } from "./requests.ts";
import { type Heard, sendHttp, sendRpc } from "./senders.ts";
import { readDatabases, type Tap, tapMessages, tapTraces } from "./taps.ts";

/** Processes of ours; what the others log is not ours to shape, but for secrets. */
const ours = ["content", "data", "deployments", "gateway", "identity", "training"];
const noLimit = "1000000";

let directory: string;
let running: LocalPlatform;
let platform: LocalPlatform["description"];
let traces: Tap;
let messages: Tap;
const canaries = new Canaries();
const answers: Heard[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canaries-"));
  traces = await tapTraces();
  const watched = { LOG_LEVEL: "debug", OTEL_EXPORTER_OTLP_ENDPOINT: traces.url, TRACES_PER_SECOND: noLimit };
  running = await startPlatform({
    directory,
    trainer: false,
    settings: {
      ...withoutCredentialLimit,
      identity: { ...withoutCredentialLimit["identity"], ...watched },
      training: { ...withoutCredentialLimit["training"], ...watched },
      gateway: { ...withoutCredentialLimit["gateway"], ...watched, ANONYMOUS_REQUESTS_PER_MINUTE: noLimit },
    },
  });
  platform = running.description;
  messages = await tapMessages(running);
  for (const [where, text] of Object.entries({ ...platform, ...platform.foreign })) {
    if (where === "bearer" || where === "api_key") canaries.watch(`the demo's ${where}`, String(text));
  }
}, startsWithinMs);

afterAll(async () => {
  await running?.stop();
  await traces?.[Symbol.asyncDispose]();
  await messages?.[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

/** What each answer has that it must not have. */
const leaksOf = (heard: Heard[]) =>
  heard.flatMap(({ from, bytes }) => canaries.leaks("answer", bytes).map((where) => `${from} answered ${where}`));

const optionsFor = (where: string, form: FillOptions["form"], plausible: boolean): FillOptions => ({
  canaries,
  where,
  form,
  plausible,
  known: {
    pipeline_id: platform.pipeline_id,
    run_id: platform.run_id,
    job_name: platform.job_name,
    permission_ids: "metrics:read",
  },
});

const goodKey = () => ({ authorization: `Bearer ${platform.api_key}` });

async function sendAll(questions: (() => Promise<Heard>)[]): Promise<Heard[]> {
  const heard: Heard[] = [];
  for (let i = 0; i < questions.length; i += 8) {
    heard.push(...(await Promise.all(questions.slice(i, i + 8).map((send) => send()))));
  }
  answers.push(...heard);
  return heard;
}

describe("secrets that the platform makes", () => {
  it("are shown in the one answer that hands them out", async () => {
    const key = await ask(platform, {
      path: "/platform/api-keys",
      body: { name: "canary", permission_ids: ["roles:manage"] },
    });
    expect(key.status).toBe(201);
    const secret = canaries.watch("a new key", key.body.secret);
    const rotated = await ask(platform, { path: `/platform/api-keys/${key.body.api_key.id}/rotate`, body: {} });
    canaries.watch("a rotated key", rotated.body.secret);
    const lease = await ask(platform, { path: `${jobPath(platform)}/supervisions`, body: {} });
    const token = canaries.watch("a lease token", lease.body.supervision_lease_token);

    const grpc = createGrpcTransport({ baseUrl: `http://${platform.grpc.identity}` });
    const operatorKey = canaries.watch(
      "the operator's key",
      await readFile(join(directory, "secrets", "operator-key"), "utf8"),
    );
    const organisation = await createClient(OrganisationService, grpc).createOrganisation(
      { name: "Canaries", slug: "canaries", administrator: { displayName: "C", email: "c@example.org" } },
      { headers: { authorization: `Bearer ${operatorKey}` } },
    );
    canaries.watch("an organisation's first key", organisation.apiKeySecret);
    const assertion = canaries.watch(
      "a service's assertion",
      await assertionsOf(directory, "training").for("identity"),
    );
    const exchanged = await createClient(CredentialService, grpc).exchangeCredential(
      { bearer: platform.bearer, apiKey: "" },
      { headers: { [serviceAssertionHeader]: assertion } },
    );
    const context = canaries.watch("a signed context", exchanged.signedContext);

    const command = {
      action: "pause",
      idempotency_key: randomUUID(),
      supervision_id: lease.body.lease.supervision_id,
      supervision_lease_token: token,
    };
    const heard = await sendAll([
      () => sendHttp(question("its list", "GET", "/platform/api-keys", { authorization: `Bearer ${secret}` })),
      () => sendHttp(question("its organisation's list", "GET", "/platform/api-keys", goodKey())),
      () =>
        sendHttp(
          question("a member's roles", "GET", `/platform/roles?access_token=${secret}`, {
            "x-caller-context": context,
            [serviceAssertionHeader]: assertion,
          }),
        ),
      () => sendHttp({ ...question("a key as id", "GET", `/platform/api-keys/${secret}`, { authorization: secret }) }),
      () =>
        sendHttp({
          ...question("a command", "POST", commandsPath(platform), goodKey()),
          body: JSON.stringify(command),
        }),
      () => sendHttp(question("the lease", "GET", `${jobPath(platform)}/supervisions/current`, goodKey())),
    ]);
    // A key in a path is the caller's own mistake, and its answer repeats what it found there.
    expect(leaksOf(heard.filter(({ from }) => from !== "a key as id"))).toEqual([]);
  });
});

const question = (from: string, method: string, path: string, headers: Record<string, string>) => ({
  from,
  method,
  url: platform.gateway + path,
  headers,
});

/** How a request of an operation goes right or wrong. */
const ways: { way: string; plausible: boolean; broken?: true; aborted?: true }[] = [
  { way: "as the operation wants it", plausible: true },
  { way: "against every rule", plausible: false },
  { way: "in a body that breaks off", plausible: true, broken: true },
  { way: "from a client that leaves", plausible: true, aborted: true },
];

/**
 * Of an operation's bad credentials two: neighbours have others, so that each is met by many. A credential is looked at before
 * its operation is.
 */
const pairOf = <T>(bad: readonly T[], operation: number) =>
  [operation, operation + 1].flatMap((index) => bad[index % bad.length] ?? []);

describe.each(operations)("canaries in the operation $name", (operation) => {
  const { name, method, route } = operation;
  // What the specification has its own operations echo, they echo to the letter.
  const secretMayAppear: Sink[] = route?.pattern.value?.startsWith("/platform/") ? [] : ["answer"];
  const requestOf = (where: string, plausible: boolean) =>
    restRequest(operation, { ...optionsFor(where, "rest", plausible), secretMayAppear });

  it("come back in no answer where they are secrets", async () => {
    const good = ways.flatMap(({ way, plausible, broken, aborted = false }, index) => {
      const where = `${name} ${way}`;
      const request = requestOf(where, plausible);
      const headers = { ...canaryHeaders(canaries, where), ...goodKey() };
      const body = broken ? request.body.slice(0, -2) : request.body;
      const send = () => sendHttp({ ...question(where, request.method, request.path, headers), body, aborted });
      // The second meets what the first has made.
      return index === 0 ? [send, send] : [send];
    });
    const bad = pairOf(badCredentials(canaries, name), operations.indexOf(operation)).map((credential) => {
      const where = `${name} with a bad credential`;
      const request = requestOf(where, true);
      const headers = { ...canaryHeaders(canaries, where), ...credential };
      return () => sendHttp({ ...question(where, request.method, request.path, headers), body: request.body });
    });
    expect(
      leaksOf(await sendAll(method.methodKind === "unary" ? [...good, ...bad] : [...good.slice(2), ...bad])),
    ).toEqual([]);
  });
});

const transports: [string, (owner: "identity" | "training") => Transport][] = [
  ["Connect", () => createConnectTransport({ baseUrl: platform.gateway, httpVersion: "1.1" })],
  ["gRPC-Web", () => createGrpcWebTransport({ baseUrl: platform.gateway, httpVersion: "1.1" })],
  ["gRPC", (owner) => createGrpcTransport({ baseUrl: `http://${platform.grpc[owner]}` })],
];

const protocols = transports.map(([protocol]) => protocol);

/**
 * Of a call's bad credentials those that it gets over this protocol: each call gets each of them over one, and each protocol
 * meets each with many calls. A credential is looked at before its call is, so that all three together show no more.
 */
const shareOf = <T>(bad: readonly T[], protocol: string, call: number) =>
  bad.filter((_, index) => protocols[(index + call) % protocols.length] === protocol);

describe.each(transports)("canaries in calls over %s", (protocol, transportTo) => {
  it("come back in no answer where they are secrets", async () => {
    const to = { identity: transportTo("identity"), training: transportTo("training") };
    const questions = calls.flatMap(({ name, owner, method }, call) => {
      const transport = owner === "identity" ? to.identity : to.training;
      const bad = shareOf(badCredentials(canaries, `${name} over ${protocol}`), protocol, call);
      return [{}, goodKey(), ...bad].map((credential, index) => {
        const from = `${name} over ${protocol}`;
        // Without a context: with one, the other credentials are not looked at.
        const { "x-caller-context": context, origin: _, ...headers } = canaryHeaders(canaries, from);
        const sent = { ...headers, ...(index === 0 && context ? { "x-caller-context": context } : {}), ...credential };
        const { known, ...options } = optionsFor(from, "proto", index % 2 === 1);
        const { permission_ids: _permissions, ...things } = known;
        const request = fill(method.input, { ...options, known: things });
        return () => sendRpc({ from, transport, method, headers: sent, request });
      });
    });
    expect(leaksOf(await sendAll(questions))).toEqual([]);
  });

  it("come back in no answer to what is no message", async () => {
    if (protocol === "gRPC") return;
    const type = protocol === "Connect" ? "application/json" : "application/grpc-web+proto";
    const questions = calls.map(({ name, method }) => () => {
      const from = `${name} over ${protocol}, broken`;
      const headers = { ...canaryHeaders(canaries, from), ...goodKey(), "content-type": type };
      const body = `{"supervision_lease_token":"${canaries.make(`${from}: cut off`)}`;
      return sendHttp({ ...question(from, "POST", `/${method.parent.typeName}/${method.name}`, headers), body });
    });
    expect(leaksOf(await sendAll(questions))).toEqual([]);
  });
});

describe("canaries where nothing looks for them", () => {
  const make = (where: string) => canaries.make(where);
  const token = (where: string) => `?token=${make(`${where}: query`)}`;
  const large = () => JSON.stringify({ supervision_lease_token: make("too large"), x: "x".repeat(2_000_000) });
  const noJson = { "content-type": "text/plain" };
  const endless = () => ({ authorization: `Bearer ${make("431")}${"x".repeat(20_000)}` });

  it.each<[string, number, string, () => string, () => Record<string, string>, () => string]>([
    ["a body that is too large", 413, "POST", () => commandsPath(platform), goodKey, large],
    [
      "a body that is no JSON",
      422,
      "POST",
      () => commandsPath(platform),
      () => ({ ...goodKey(), ...noJson }),
      () => "{",
    ],
    ["another method", 405, "DELETE", () => commandsPath(platform) + token("405"), goodKey, () => ""],
    ["headers that are too large", 431, "GET", () => "/", endless, () => ""],
    ["a path that is none", 404, "GET", () => `/nothing/${make("path")}${token("404")}`, goodKey, () => ""],
    [
      "notebooks that are not there",
      404,
      "GET",
      () => `/notebooks/hub/${make("hub")}${token("hub")}`,
      goodKey,
      () => "",
    ],
    ["the API's description", 200, "GET", () => `/openapi.json${token("openapi")}`, goodKey, () => ""],
  ])("come back in no answer: %s", async (from, status, method, path, credential, body) => {
    const headers = { ...(status === 431 ? {} : canaryHeaders(canaries, from)), ...credential() };
    const sent = { ...question(from, method, path(), headers), body: body(), timeoutMs: 30_000 };
    const heard = await sendAll([() => sendHttp(sent)]);
    expect(heard.map((answer) => answer.status)).toEqual([status]);
    expect(leaksOf(heard)).toEqual([]);
  });
});

describe("what the platform keeps and tells of itself", () => {
  const leaksIn = (sink: Sink, places: Iterable<[string, Buffer]>) =>
    [...places].flatMap(([place, bytes]) => canaries.leaks(sink, bytes).map((where) => `${place} has ${where}`));
  const marker = "x-canary-last";

  beforeAll(async () => {
    // Everything before it is on its way; when this is in the audit log, so is the rest.
    const last = await ask(platform, {
      path: "/organisations/roles/",
      body: { name: "last", slug: "last-of-all", permission_ids: [] },
      headers: { "x-request-id": marker },
    });
    expect(last.status).toBe(201);
    await until(
      "the last event to be audited",
      30,
      () => ask(platform, { path: `/platform/audit?request_id=${marker}` }),
      ({ body }) => body?.length > 0,
    );
  });

  it("was reached by more than thirty secrets in each form", () => {
    expect(canaries.size).toBeGreaterThan(1_000);
    expect(new Set(answers.map(({ status }) => status)).size).toBeGreaterThan(8);
  });

  it("is in no metric", async () => {
    const pages = await Promise.all(
      Object.entries(running.adminUrls).map(async ([name, url]): Promise<[string, Buffer]> => {
        const response = await fetch(`${url}/metrics`);
        return [name, Buffer.from(await response.arrayBuffer())];
      }),
    );
    expect(pages.map(([name]) => name).sort()).toEqual(ours);
    for (const [, page] of pages) expect(page.length).toBeGreaterThan(1_000);
    expect(leaksIn("metric", pages)).toEqual([]);
  });

  it("is in no message, but for contents of the events that tell of them", () => {
    const bytes = messages.bytes();
    expect(bytes.includes("last-of-all")).toBe(true);
    expect(canaries.seen(bytes).some(({ where }) => where.startsWith("RoleService/CreateRole"))).toBe(true);
    expect(leaksIn("event", [["NATS", bytes]])).toEqual([]);
  });

  it("is in no database, but for contents that were to be kept", async () => {
    const databases = await readDatabases(running.mongodbUri);
    expect([...databases.keys()]).toEqual(
      expect.arrayContaining(["identity.api_keys", "identity.roles", "local.oplog.rs"]),
    );
    expect(canaries.seen(databases.get("identity.roles") ?? Buffer.alloc(0)).length).toBeGreaterThan(0);
    expect(leaksIn("database", databases)).toEqual([]);
  });

  it("is in no trace and no log once all has been written", async () => {
    await running.kill("services", "SIGTERM");
    const folder = join(directory, "logs");
    const logs = await Promise.all(
      (await readdir(folder)).map(
        async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))],
      ),
    );
    const own = logs.filter(([name]) => name === "services.log");
    for (const name of ours) expect(own.some(([, log]) => log.includes(`"service":"${name}"`))).toBe(true);
    for (const [, log] of own) expect(log.includes('"level"')).toBe(true);
    expect(own.some(([, log]) => log.includes("CreateRole"))).toBe(true);
    expect(leaksIn("log", own)).toEqual([]);
    // The parts may log what they are asked to keep, when that takes them long.
    expect(leaksIn("database", logs)).toEqual([]);
    const spans = traces.bytes();
    expect(spans.includes("CreateRole") && spans.includes("/platform/external-oauth/callback")).toBe(true);
    expect(leaksIn("trace", [["OTLP", spans]])).toEqual([]);
  });
});
