import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore } from "@aiplatform/document-store";
import { inspectEventStream, newNkey, publicNkey } from "@aiplatform/event-stream";
import { authorizationText } from "@aiplatform/event-stream/nats-permissions";
import { findBinary, freePorts, mongodBinary, natsServerBinary, SupervisedProcess } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { eventually } from "@aiplatform/testkit";
import { CertificateAuthority } from "@aiplatform/testkit/certificate-authority";
import { MongoClient } from "mongodb";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { clientsOver, identityEnvironment, operatorKey, showing } from "./identity-rig.ts";

const password = randomBytes(16).toString("hex");
const { seed } = newNkey();
const cleanUp = new AsyncDisposableStack();
let directory: string;
let mongodbPort: number;
let natsPort: number;

const at = (name: string) => join(directory, name);
const mongodbUri = (authority: string) =>
  `mongodb://127.0.0.1:${mongodbPort}/?replicaSet=rs0&tls=true&tlsCAFile=${encodeURIComponent(at(authority))}`;
const natsUrl = () => `nats://127.0.0.1:${natsPort}`;
const settings = () => ({
  MONGODB_URI: mongodbUri("ca.crt"),
  MONGODB_PASSWORD: password,
  MONGODB_DATABASE: "identity",
  NATS_URL: natsUrl(),
  NATS_NKEY: seed,
  NATS_CA_FILE: at("ca.crt"),
  NATS_STREAM: "aiplatform",
});

/** Runs a server until the tests of the file are over. */
async function run(name: string, binary: typeof mongodBinary, args: string[], ready: () => Promise<unknown>) {
  const { path: command = name } = await findBinary(binary);
  const isReady = () => ready().then(Boolean, () => false);
  const server = new SupervisedProcess({ name, command, args, logFile: at(`${name}.log`), ready: isReady, log() {} });
  await server.start();
  cleanUp.defer(() => server.stop());
}

/** A mongod that asks for TLS and logins, with the user of identity. */
async function startMongod(): Promise<void> {
  await mkdir(at("data"));
  const key = randomBytes(96).toString("base64");
  await writeFile(at("key"), key, { mode: 0o600 });
  const args = ["--replSet", "rs0", "--keyFile", at("key"), "--bind_ip", "127.0.0.1", "--port", String(mongodbPort)];
  args.push("--tlsMode", "requireTLS", "--tlsCertificateKeyFile", at("server.pem"), "--tlsCAFile", at("ca.crt"));
  args.push("--tlsAllowConnectionsWithoutCertificates", "--dbpath", at("data"), "--nounixsocket", "--oplogSize", "64");
  const asMember = () =>
    MongoClient.connect(`mongodb://127.0.0.1:${mongodbPort}/?directConnection=true&serverSelectionTimeoutMS=500`, {
      auth: { username: "__system", password: key },
      authSource: "local",
      authMechanism: "SCRAM-SHA-256",
      tls: true,
      tlsCAFile: at("ca.crt"),
    });
  await run("mongod", mongodBinary, args, () => asMember().then((client) => client.close().then(() => true)));
  await using member = await asMember();
  const admin = member.db("admin");
  await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${mongodbPort}` }] } });
  await eventually(async () => (await admin.command({ hello: 1 }))["isWritablePrimary"]);
  const roles = [{ role: "readWrite", db: "identity" }];
  await admin.command({ createUser: "identity", pwd: password, roles });
}

/** A nats-server that asks for TLS and logins, with the users of the platform. */
async function startNats(): Promise<void> {
  const users = authorizationText((user) => (user === "identity" ? publicNkey(seed) : newNkey().publicKey));
  const tls = `tls { cert_file: ${JSON.stringify(at("tls.crt"))}, key_file: ${JSON.stringify(at("tls.key"))} }`;
  const jetstream = `jetstream { store_dir: ${JSON.stringify(at("jetstream"))} }`;
  await writeFile(at("nats.conf"), `listen: "127.0.0.1:${natsPort}"\n${jetstream}\n${tls}\n${users}`);
  const look = { servers: natsUrl(), streamName: "aiplatform", timeoutMs: 2_000, user: "identity" };
  await run("nats", natsServerBinary, ["--config", at("nats.conf")], () =>
    inspectEventStream({ ...look, login: { nkey: seed, caFile: at("ca.crt") } }),
  );
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "stores-over-tls-"));
  cleanUp.defer(() => rm(directory, { recursive: true, force: true }));
  [mongodbPort = 0, natsPort = 0] = await freePorts([0, 0]);
  const [ours, theirs] = await Promise.all(["ours", "theirs"].map((name) => CertificateAuthority.create(name)));
  const { cert = "", key = "" } = (await ours?.issue()) ?? {};
  const files = { "tls.crt": cert, "tls.key": key, "server.pem": `${cert}\n${key}` };
  const authorities = { "ca.crt": ours?.pem ?? "", "other-ca.crt": theirs?.pem ?? "" };
  await Promise.all(
    Object.entries({ ...files, ...authorities }).map(([name, text]) => writeFile(at(name), text, { mode: 0o600 })),
  );
  await Promise.all([startMongod(), startNats()]);
}, 60_000);

afterAll(() => cleanUp.disposeAsync());

describe("stores that ask for TLS and logins", () => {
  it("serve identity, which announces over them what it has stored", async () => {
    await using service = await startIdentityService(readConfig({ ...identityEnvironment([]), ...settings() }));
    const shown = showing({ bearer: operatorKey });
    const transport = createMeshTransport({ addresses: service.addresses.grpc, interceptors: [shown] });
    const administrator = { displayName: "Ada", email: "ada@acme.test", issuer: "https://issuer.test", subject: "ada" };
    await clientsOver(transport).organisations.createOrganisation({ slug: "acme", name: "Acme", administrator });
    transport.close();
    const login = { nkey: seed, caFile: at("ca.crt") };
    const look = { servers: natsUrl(), streamName: "aiplatform", timeoutMs: 5_000, user: "identity", login };
    await eventually(async () => ((await inspectEventStream(look)).stream?.events ?? 0) > 0);
  });

  it("take no connection without TLS", async () => {
    const plain = new MongoClient(`mongodb://127.0.0.1:${mongodbPort}/?directConnection=true`, {
      serverSelectionTimeoutMS: 1_000,
    });
    await expect(plain.connect()).rejects.toThrow();
    await plain.close();
    await expect(connect({ servers: natsUrl(), tls: null, reconnect: false })).rejects.toThrow();
  });

  it("are not believed when another authority certifies them", async () => {
    const options = { uri: mongodbUri("other-ca.crt"), password, database: "identity", appName: "test", waitMs: 1 };
    await expect(connectDocumentStore(options)).rejects.toThrow("does not answer");
    const look = { servers: natsUrl(), streamName: "aiplatform", timeoutMs: 2_000, user: "identity" };
    const login = { nkey: seed, caFile: at("other-ca.crt") };
    await expect(inspectEventStream({ ...look, login })).rejects.toThrow(/certificate/);
  });
});

describe("a NATS server without TLS", () => {
  it("is refused where NATS_CA_FILE is set", async () => {
    const servers = process.env["TEST_NATS_URL"] ?? "";
    const look = { servers, streamName: "aiplatform", timeoutMs: 2_000, login: { caFile: at("ca.crt") } };
    await expect(inspectEventStream(look)).rejects.toMatchObject({ code: "SERVER_OPT_NA" });
  });
});
