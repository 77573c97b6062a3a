import { generateKeyPairSync, randomUUID } from "node:crypto";
import {
  callerContextHeader,
  createContextSigner,
  createContextVerifier,
  meshAudience,
  serviceAssertionHeader,
} from "@aiplatform/caller-identity";
import { CallRefusedSchema } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { connectDocumentStore } from "@aiplatform/document-store";
import { connectEventStream, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { until } from "@aiplatform/local-platform";
import { createMeshTransport, type RunningService } from "@aiplatform/service-host";
import { dropDatabase, serviceAssertions, serviceKeyFiles, serviceKeys } from "@aiplatform/testkit";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EchoService } from "../../service-host/tests/rig/echo-service.ts";
import { startNotes } from "./fifth-service.ts";
import { NoteKeptSchema } from "./note-event.ts";

const name = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
const [uri, servers] = [process.env["TEST_MONGODB_URI"] ?? "", process.env["TEST_NATS_URL"] ?? ""];
const env = {
  ...{ HOST: "127.0.0.1", GRPC_PORT: "0", HTTP_PORT: "0", ADMIN_PORT: "0", LOG_LEVEL: "error" },
  ...serviceKeyFiles("notes"),
  ...{
    MONGODB_URI: uri,
    MONGODB_DATABASE: name,
    NATS_URL: servers,
    NATS_STREAM: name,
    NATS_STREAM_MAX_BYTES: "1048576",
  },
};
const now = () => new Date();
const privateKeyPem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const signer = createContextSigner({ privateKeyPem, now });
const callers = { verifier: createContextVerifier({ jwks: async () => signer.jwks(), now }) };

let service: RunningService;
let notes: Client<typeof EchoService>;
/** What was heard on the stream. */
const events: string[] = [];
const refusals: string[] = [];
const cleanUp = new AsyncDisposableStack();

beforeAll(async () => {
  const store = await connectDocumentStore({ uri, database: name, appName: "test" });
  cleanUp.defer(async () => {
    await dropDatabase(store);
    await store.close();
  });
  service = cleanUp.use(await startNotes(env, callers));
  const keys = serviceKeys("identity");
  const limits = { maxBytes: 1_048_576, replicas: 1 };
  const stream = cleanUp.use(await connectEventStream({ servers, streamName: name, name: "test", keys, limits }));
  stream.listen(eventSubject(NoteKeptSchema), ({ data }) => {
    events.push(decodeEvent(NoteKeptSchema, data).text);
  });
  stream.listen(eventSubject(CallRefusedSchema), ({ data }) => {
    refusals.push(decodeEvent(CallRefusedSchema, data).rpc);
  });
  const transport = cleanUp.adopt(createMeshTransport({ addresses: service.addresses.grpc }), (one) => one.close());
  notes = createClient(EchoService, transport);
});
afterAll(() => cleanUp.disposeAsync());

/** Headers of a caller with these permissions. */
async function as(permissions: string[]): Promise<Headers> {
  const caller = { organisationId: "o", permissions: new Set(permissions), credentialId: "test" };
  const { signedContext } = await signer.sign(caller, { audience: "notes" });
  const assertion = await serviceAssertions("gateway").for("notes");
  return new Headers({ [callerContextHeader]: signedContext, [serviceAssertionHeader]: assertion });
}

async function keep(value: string, permissions = ["echo:whisper"]) {
  return await notes.whisper({ value }, { headers: await as(permissions) });
}

async function failureOf(call: Promise<unknown>): Promise<{ code: Code; reason: string | undefined }> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => ConnectError.from(thrown),
  );
  return { code: error?.code ?? Code.Unknown, reason: error?.findDetails(ErrorInfoSchema)[0]?.reason };
}

const heard = (list: string[], value: string) =>
  until(async () => list.includes(value) || undefined, {
    withinMs: 20_000,
    everyMs: 20,
    otherwise: () => new Error(`timed out waiting for ${value}`),
  });

describe("a fifth service of the platform", () => {
  it("stores what it is given and publishes the event", async () => {
    expect((await keep("first")).value).toBe("first");
    await heard(events, "first");
  });

  it("answers a failure of its own with its reason", async () => {
    expect(await failureOf(keep(""))).toEqual({ code: Code.InvalidArgument, reason: "NOTE_EMPTY" });
  });

  it("answers a failure of the database with the reason that all services give", async () => {
    await keep("twice");
    expect(await failureOf(keep("twice"))).toEqual({ code: Code.Aborted, reason: "WRITE_CONFLICT" });
  });

  it("refuses a caller without the permission, and the refusal is on its way to the audit log", async () => {
    expect((await failureOf(keep("secret", []))).code).toBe(Code.PermissionDenied);
    await heard(refusals, "echo.v1.EchoService/Whisper");
  });

  it("is ready while its database answers, and names NATS as a dependency", async () => {
    const response = await fetch(`${service.addresses.admin}/readyz`);
    expect(response.status).toBe(200);
    const report = JSON.stringify(await response.json());
    expect(report).toContain("mongodb");
    expect(report).toContain("nats");
  });
});

describe("a caller context that was stolen", () => {
  const caller = { organisationId: "o", permissions: new Set(["echo:whisper"]), credentialId: "test" };
  const stolen = async (audience: string, by?: { service: string; audience: string }) => {
    const { signedContext } = await signer.sign(caller, { audience });
    const headers = new Headers({ [callerContextHeader]: signedContext });
    if (by) headers.set(serviceAssertionHeader, await serviceAssertions(by.service).for(by.audience));
    return await failureOf(notes.whisper({ value: randomUUID() }, { headers }));
  };

  it("opens nothing without the assertion of a service", async () => {
    const refused = { code: Code.Unauthenticated, reason: "SERVICE_ASSERTION_MISSING" };
    expect(await stolen("notes")).toEqual(refused);
    expect(await stolen(meshAudience)).toEqual(refused);
  });

  it("opens nothing with an assertion for another service", async () => {
    const refused = { code: Code.Unauthenticated, reason: "SERVICE_ASSERTION_INVALID" };
    expect(await stolen("notes", { service: "gateway", audience: "training" })).toEqual(refused);
  });

  it.each([
    ["another service", "training"],
    ["the gateway", "gateway"],
    ["all of the mesh", meshAudience],
  ])("opens nothing here when it is for %s", async (_, audience) => {
    const refused = { code: Code.Unauthenticated, reason: "CONTEXT_AUDIENCE" };
    expect(await stolen(audience, { service: "gateway", audience: "notes" })).toEqual(refused);
  });

  it("opens nothing for a service that the contract does not name", async () => {
    const refused = { code: Code.PermissionDenied, reason: "SERVICE_NOT_ALLOWED" };
    expect(await stolen("training", { service: "training", audience: "notes" })).toEqual(refused);
  });
});

describe("while services of an earlier version run", () => {
  it("a context for all of the mesh is believed without an assertion", async () => {
    await using early = await startNotes({ ...env, SERVICE_ASSERTIONS: "accept-missing" }, callers);
    const caller = { organisationId: "o", permissions: new Set(["echo:whisper"]), credentialId: "test" };
    const { signedContext } = await signer.sign(caller);
    using parts = new DisposableStack();
    const transport = parts.adopt(createMeshTransport({ addresses: early.addresses.grpc }), (one) => one.close());
    const headers = { [callerContextHeader]: signedContext };
    const value = randomUUID();
    expect((await createClient(EchoService, transport).whisper({ value }, { headers })).value).toBe(value);
  });
});

describe("a service that is stopped and started again", () => {
  it("has its data, and publishes what comes next", async () => {
    const once = await startNotes(env, callers);
    await once.stop();
    await using again = await startNotes(env, callers);
    expect(again.addresses.grpc).not.toBe("");
    expect((await failureOf(keep("first"))).reason).toBe("WRITE_CONFLICT");
    await keep("after");
    await heard(events, "after");
  });
});
