import { execFile } from "node:child_process";
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { serviceKeyFiles } from "@aiplatform/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CopiedRepository, copyRepository } from "./copied-repository.ts";
import { startServiceProcess } from "./service-process.ts";
import { syntheticEdits, syntheticFiles, typedProgram } from "./synthetic-files.ts";

const run = promisify(execFile);
const operatorKey = "operator-key-of-the-tests-0123456789abcdef";
const unused = "127.0.0.1:9";

let copy: CopiedRepository;
let sourcesBefore: Map<string, string>;
let gateway = "";
let key = "";
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  copy = parts.use(await copyRepository());
  sourcesBefore = await sources();
  await addOperation(copy);
  await run(process.execPath, [join(copy.directory, "scripts/generate.ts")]);
  await startServices();
  const [organisation] = await Promise.all([
    createOrganisation(),
    copy.write("tests/synthetic-program.ts", typedProgram),
  ]);
  key = organisation.api_key_secret;
}, 300_000);
afterAll(() => parts.disposeAsync());

async function sources(): Promise<Map<string, string>> {
  const [edge, library] = await Promise.all(["services/gateway/src", "packages/transcoder/src"].map(copy.readAll));
  return new Map([...(edge ?? []), ...(library ?? [])]);
}

async function addOperation({ write, read }: CopiedRepository): Promise<void> {
  for (const [path, text] of Object.entries(syntheticFiles)) await write(path, text);
  for (const [path, edits] of Object.entries(syntheticEdits)) {
    let text = await read(path);
    for (const [before, after] of edits) {
      if (!text.includes(before)) throw new Error(`${path} has no longer: ${before}`);
      text = text.replace(before, after);
    }
    await write(path, text);
  }
}

async function startServices(): Promise<void> {
  const own = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  const { privateKey } = generateKeyPairSync("ed25519");
  const { TEST_MONGODB_URI = "", TEST_NATS_URL = "" } = process.env;
  const stream = { NATS_URL: TEST_NATS_URL, NATS_STREAM: own };
  const identity = parts.use(
    await startServiceProcess(copy.directory, "identity", {
      ...stream,
      ...serviceKeyFiles("identity"),
      GRPC_PORT: "0",
      MONGODB_URI: TEST_MONGODB_URI,
      MONGODB_DATABASE: own,
      CONTEXT_SIGNING_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
      DELEGATION_SECRET: "delegation-secret-of-the-tests-0123456789",
      OPERATOR_KEY: operatorKey,
      OIDC_ISSUERS: "[]",
    }),
  );
  const others = ["TRAINING", "CONTENT", "DEPLOYMENTS"].flatMap((name) => [
    [`${name}_ADDRESS`, unused],
    [`${name}_HTTP_URL`, `http://${unused}`],
  ]);
  const edge = parts.use(
    await startServiceProcess(copy.directory, "gateway", {
      ...stream,
      ...serviceKeyFiles("gateway"),
      ...Object.fromEntries(others),
      IDENTITY_ADDRESS: identity.addresses.grpc ?? "",
      IDENTITY_HTTP_URL: identity.addresses.http,
    }),
  );
  gateway = edge.addresses.http;
}

async function post(path: string, body: object, credential = key): Promise<Response> {
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
  return fetch(gateway + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function createOrganisation(): Promise<{ api_key_secret: string }> {
  const administrator = {
    email: "ada@acme.example",
    display_name: "Ada",
    issuer: "https://idp.example",
    subject: "ada",
  };
  const answer = await post("/platform/organisations", { slug: "acme", name: "Acme", administrator }, operatorKey);
  expect([answer.status, answer.ok]).toEqual([201, true]);
  return JSON.parse(await answer.text());
}

describe("an operation that is added to the contract and to one service", () => {
  it("changes no line of the gateway, nor of the library that translates", async () => {
    expect(sourcesBefore.size).toBeGreaterThan(50);
    expect(await sources()).toEqual(sourcesBefore);
  });

  it("answers over REST", async () => {
    const answer = await post("/platform/greetings/it", { name: "Ada", times: 2 });
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { words: ["ciao Ada", "ciao Ada"], organisation_id: expect.any(String) },
    ]);
  });

  it("refuses every problem of a request at once", async () => {
    const answer = await post("/platform/greetings/italian", { times: 4 });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      {
        detail: [
          { type: "string_pattern_mismatch", loc: ["path", "language"] },
          { type: "missing", loc: ["body", "name"] },
          { type: "less_than_equal", loc: ["body", "times"] },
        ],
      },
    ]);
  });

  it("refuses who lacks its permission", async () => {
    const made = await post("/platform/api-keys", { name: "reader", permission_ids: ["metrics:read"] });
    const { secret: weak } = JSON.parse(await made.text());
    const answer = await post("/platform/greetings/it", { name: "Ada" }, weak);
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: "permission_missing" }]);
  });

  it("stands in the API's description and on its page", async () => {
    const description = JSON.parse(await (await fetch(`${gateway}/openapi.json`)).text());
    expect(description.paths["/platform/greetings/{language}"].post).toMatchObject({
      operationId: "greet",
      description: "Greets a person.",
      tags: ["greetings"],
    });
    expect(JSON.parse(await copy.read("docs/openapi.json")).paths["/platform/greetings/{language}"]).toBeDefined();
    const script = await fetch(`${gateway}/docs/start.js`);
    expect([script.status, await script.text()]).toEqual([200, expect.stringContaining("/openapi.json")]);
  });

  it("stands in the table of permissions, in the reference of RPCs and in the catalogue of commands", async () => {
    expect(await copy.read("docs/api/permissions.md")).toContain("| `greetings:send` | Greet |");
    expect(await copy.read("docs/command-line.md")).toContain("greet");
    const permissions = await fetch(`${gateway}/platform/permissions`, { headers: { authorization: `Bearer ${key}` } });
    expect(JSON.parse(await permissions.text())).toContainEqual({
      id: "greetings:send",
      rpcs: ["aiplatform.identity.v1.GreetingService/Greet"],
    });
  });

  it("is called by the generated client, in its own types", async () => {
    const config = { extends: "../tsconfig.base.json", files: ["synthetic-program.ts"] };
    await copy.write("tests/tsconfig.json", JSON.stringify(config));
    const project = join(copy.directory, "tests/tsconfig.json");
    await run(join(copy.directory, "node_modules/.bin/tsc"), ["--noEmit", "--project", project]);
    const env = { PATH: process.env["PATH"], PLATFORM_URL: gateway, PLATFORM_API_KEY: key };
    const { stdout } = await run(process.execPath, [join(copy.directory, "tests/synthetic-program.ts")], { env });
    expect(JSON.parse(stdout)).toEqual([["ciao Ada", "ciao Ada"], "function"]);
  });

  it("is a command of the command line", async () => {
    const env = { PATH: process.env["PATH"], HOME: copy.directory, PLATFORM_URL: gateway, PLATFORM_API_KEY: key };
    const program = join(copy.directory, "packages/cli/src/main.ts");
    const { stdout } = await run(process.execPath, [program, "-o", "json", "greet", "en", "--name", "Bob"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ words: ["hello Bob"] });
  });
});
