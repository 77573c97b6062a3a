import { callerContextHeader, createContextSigner, serviceAssertionHeader } from "@aiplatform/caller-identity";
import { connectDocumentStore, type DocumentStore, SchemaStore } from "@aiplatform/document-store";
import { createMeshTransport } from "@aiplatform/service-host";
import {
  contextSigningKey,
  dropDatabase,
  eventually,
  newTestEnvironment,
  ServiceProcess,
  serviceAssertions,
} from "@aiplatform/testkit";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EchoService } from "../../service-host/tests/rig/echo-service.ts";
import type { OldNote } from "./notes-versions.ts";

const signer = createContextSigner({ privateKeyPem: contextSigningKey, now: () => new Date() });
const program = new URL("notes-process.ts", import.meta.url);
const home = newTestEnvironment("notes");
const organisationId = "o";
const count = 6_000;
const cleanUp = new AsyncDisposableStack();
let store: DocumentStore;
/** Batches that any process of the next version has told of. */
const batches: (string | null)[] = [];

const notes = () => store.database.collection<OldNote>("notes");
const withoutLength = () => notes().countDocuments({ length: { $exists: false } });
const schema = () => new SchemaStore(store).read();
const indexNames = async () => (await notes().indexes()).map(({ name }) => name).toSorted();

beforeAll(async () => {
  const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
  store = await connectDocumentStore({ uri, database, appName: "two versions" });
  cleanUp.defer(async () => {
    await dropDatabase(store);
    await store.close();
  });
  const documents = Array.from({ length: count }, (_, n) => ({ _id: `note-${n}`, organisation_id: organisationId }));
  await notes().insertMany(documents);
});
afterAll(() => cleanUp.disposeAsync());

/** A process of that version. Its start is not awaited. */
function replica(version: "previous" | "next", pauseMs = 0): ServiceProcess {
  const settings = { NOTES_VERSION: version, BATCH_PAUSE_MS: String(pauseMs), NATS_STREAM_MAX_BYTES: "1048576" };
  const heard = (message: unknown) => {
    if (typeof message === "object" && message !== null && "after" in message) batches.push(String(message.after));
  };
  return cleanUp.use(new ServiceProcess({ program, home, settings, heard }));
}

function clientOf({ address }: ServiceProcess): Client<typeof EchoService> {
  const transport = cleanUp.adopt(createMeshTransport({ addresses: address, interceptors: [asMember] }), (one) =>
    one.close(),
  );
  return createClient(EchoService, transport);
}

const asMember: Interceptor = (next) => async (request) => {
  const caller = { organisationId, permissions: new Set(["echo:whisper"]), credentialId: "test" };
  const { signedContext } = await signer.sign(caller, { audience: "notes" });
  request.header.set(callerContextHeader, signedContext);
  request.header.set(serviceAssertionHeader, await serviceAssertions("gateway").for("notes"));
  return await next(request);
};

describe("the next version of a service, started on the data of the previous one while that runs", () => {
  it("is killed in the middle of its migration, goes on where it was, and ends when the previous version has ended", async () => {
    const former = await replica("previous").start();
    const before = clientOf(former);

    const victim = replica("next", 500);
    const starting = victim.start().catch(() => undefined);
    await eventually(() => batches.length >= 3, "some batches");
    await victim.kill();
    await starting;
    const migrated = count - (await withoutLength());
    expect(migrated).toBeGreaterThan(0);
    expect(migrated).toBeLessThan(count);
    expect((await before.whisper({ value: "meanwhile" })).value).toBe("meanwhile");

    batches.length = 0;
    const newer = await replica("next").start();
    expect(batches[0]).not.toBe("null");
    // Written behind the place where the migration was.
    expect(await withoutLength()).toBe(1);
    expect(await schema()).toMatchObject({ version: 0, prepared: 1 });

    const after = clientOf(newer);
    await Promise.all([before.whisper({ value: "old" }), after.whisper({ value: "new" })]);
    const twice = await after.whisper({ value: "old" }).catch((error: unknown) => ConnectError.from(error).code);
    expect(twice).toBe(Code.Aborted);
    expect(await indexNames()).toEqual(["_id_", "creation", expect.stringMatching(/^creation~/), "long"]);

    await former.kill();
    await eventually(async () => (await schema()).version === 1, "the last pass", 180_000);
    await eventually(async () => !(await indexNames()).includes("creation"), "the former index to go", 120_000);
    expect(await withoutLength()).toBe(0);
  });

  it("leaves the way back open: the previous version starts again, and the next one migrates what it has written", async () => {
    const former = await replica("previous").start();
    expect(await indexNames()).toContain("creation");
    await clientOf(former).whisper({ value: "back" });
    await former.kill();
    await replica("next").start();
    await eventually(async () => (await withoutLength()) === 0, "the rest to be migrated", 180_000);
  });
});
