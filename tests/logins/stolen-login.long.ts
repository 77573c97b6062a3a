import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { MongoClient } from "mongodb";
import { connect, ErrorCode, type NatsConnection, NatsError, nkeyAuthenticator } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attacker } from "../infra/nats-refusals.ts";
import { ownPlatform } from "../infra/own-platform.ts";

let platform: LocalPlatform;
ownPlatform((started) => {
  platform = started;
});

/** What a service of the platform signs in with, as its settings name it. */
const fileOf = (service: string, name: string) => readFile(platform.settings[service]?.[name] ?? "", "utf8");

/** Signs in to NATS with what was stolen of a service. */
async function signedInAs(service: string): Promise<NatsConnection> {
  const seed = Buffer.from(await fileOf(service, "NATS_NKEY_FILE"));
  const authenticator = nkeyAuthenticator(seed);
  const options = { name: attacker, inboxPrefix: `_INBOX_${service}`, reconnect: false };
  return connect({ servers: platform.natsUrl, authenticator, ...options });
}

/** The code of the error with which work ends; undefined where it succeeds. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error instanceof NatsError ? error.code : String(error)),
  );
}

describe("NATS, of whom no login is known", () => {
  it("refuses the connection", async () => {
    expect(await refusal(connect({ servers: platform.natsUrl, reconnect: false }))).toBe(
      ErrorCode.AuthorizationViolation,
    );
  });
});

describe("NATS, with the stolen login of content", () => {
  let stolen: NatsConnection;
  beforeAll(async () => {
    stolen = await signedInAs("content");
  });
  afterAll(() => stolen.close());

  const asked = (subject: string, body?: object) =>
    refusal(stolen.request(subject, body && JSON.stringify(body), { timeout: 2_000 }));

  it("takes an event of content", async () => {
    expect(await asked("aiplatform.content.dataset.deleted.v1.o.d")).toBeUndefined();
  });

  it.each([
    "aiplatform.training.job.completed.v1.o.j",
    "aiplatform.identity.role.created.v1.o.r",
    "aiplatform.deployments.deployment.deleted.v1.o.d",
    "aiplatform_dead.identity-audit.e",
    "aiplatform_wake.training.job.r.j",
  ])("refuses to publish %s", async (subject) => {
    expect(await asked(subject)).toBe(ErrorCode.PermissionsViolation);
  });

  it.each([
    ["STREAM.PURGE.aiplatform"],
    ["STREAM.DELETE.aiplatform"],
    ["STREAM.DELETE.aiplatform_dead"],
    ["STREAM.UPDATE.aiplatform", { name: "aiplatform", subjects: ["other"] }],
    ["STREAM.CREATE.copy", { name: "copy", mirror: { name: "aiplatform" } }],
    ["STREAM.MSG.DELETE.aiplatform", { seq: 1 }],
    ["CONSUMER.DELETE.aiplatform.identity-audit"],
    ["CONSUMER.DURABLE.CREATE.aiplatform.identity-audit", { stream_name: "aiplatform", config: {} }],
    ["CONSUMER.CREATE.aiplatform", { stream_name: "aiplatform", config: { deliver_subject: "_INBOX_content.x" } }],
    ["CONSUMER.MSG.NEXT.aiplatform.identity-audit"],
  ])("refuses %s", async (call, body?: object) => {
    expect(await asked(`$JS.API.${call}`, body)).toBe(ErrorCode.PermissionsViolation);
  });

  it("has no event of identity delivered as new by a consumer of its own", async () => {
    const config = {
      name: "content-look",
      deliver_subject: "aiplatform.identity.role.created.v1.o.r",
      ack_policy: "none",
    };
    const body = JSON.stringify({ stream_name: "aiplatform", action: "create", config });
    const answer = await stolen.request("$JS.API.CONSUMER.CREATE.aiplatform.content-look", body);
    expect(answer.json()).toMatchObject({ error: { description: "consumer deliver subject forms a cycle" } });
  });

  it.each([
    "_INBOX_identity.>",
    "_INBOX.>",
    "aiplatform.>",
    "aiplatform.training.>",
    "aiplatform_wake.>",
    "$JS.API.>",
    ">",
  ])("refuses to listen to %s", async (subject) => {
    const refused = Promise.withResolvers<NatsError | null>();
    stolen.subscribe(subject, { callback: refused.resolve });
    expect(await refused.promise).toMatchObject({ code: ErrorCode.PermissionsViolation });
  });
});

describe("what the processes and servers write to their logs", () => {
  it("holds none of the logins", async () => {
    const { directory } = platform;
    const logs = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith(".log"));
    expect(logs).toEqual(expect.arrayContaining(["logs/services.log", "mongodb/mongod.log", "nats/nats-server.log"]));
    const written = await Promise.all(logs.map((path) => readFile(join(directory, path), "utf8")));
    const folders = ["nats", "mongodb"].map((folder) => join(directory, "secrets", folder));
    const files = await Promise.all(
      folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
    );
    const secrets = await Promise.all(files.flat().map((file) => readFile(file, "utf8")));
    expect(secrets).toHaveLength(12);
    expect(secrets.filter((secret) => written.some((text) => text.includes(secret)))).toEqual([]);
  });
});

describe("MongoDB", () => {
  const address = () => platform.settings["training"]?.["MONGODB_URI"] ?? "";

  it("shows nothing without a login", async () => {
    await using client = await MongoClient.connect(address());
    const read = client.db("training").collection("runs").findOne();
    await expect(read).rejects.toMatchObject({ codeName: "Unauthorized" });
  });

  it("refuses a wrong password", async () => {
    await using client = new MongoClient(address(), { auth: { username: "training", password: "guessed" } });
    await expect(client.connect()).rejects.toMatchObject({ codeName: "AuthenticationFailed" });
  });

  describe("with the stolen login of training", () => {
    let client: MongoClient;
    beforeAll(async () => {
      const password = await fileOf("training", "MONGODB_PASSWORD_FILE");
      client = await MongoClient.connect(address(), { auth: { username: "training", password } });
    });
    afterAll(() => client.close());

    it("shows training's data", async () => {
      expect(await client.db("training").collection("runs").findOne()).not.toBeNull();
    });

    it.each(["identity", "content", "deployments", "data", "admin", "local"])(
      "refuses to read %s",
      async (database) => {
        const read = client.db(database).collection("api_keys").findOne();
        await expect(read).rejects.toMatchObject({ codeName: "Unauthorized" });
      },
    );

    it.each([
      ["write", () => client.db("identity").collection<{ _id: string }>("roles").insertOne({ _id: "r" })],
      ["drop", () => client.db("identity").dropDatabase()],
      ["make a user", () => client.db("admin").command({ createUser: "x", pwd: "x", roles: ["root"] })],
      ["change its own roles", () => client.db("admin").command({ updateUser: "training", roles: ["root"] })],
      ["end the server", () => client.db("admin").command({ shutdown: 1 })],
    ])("refuses to %s elsewhere", async (_what, act) => {
      await expect(act()).rejects.toMatchObject({ codeName: "Unauthorized" });
    });
  });
});
