import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JobCompletedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { OutboxRecord } from "@aiplatform/document-store";
import { connectEventStream, eventSubject } from "@aiplatform/event-stream";
import { ServiceKeys } from "@aiplatform/service-keys";
import { eventually, serviceKeyFiles, serviceKeys } from "@aiplatform/testkit";
import { connect, headers, type MsgHdrs, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjectOf, toHeaders } from "../src/cloud-event.ts";
import { signEvent } from "../src/event-signature.ts";
import { completed, type Mesh, openMesh, recordEffect } from "./open-mesh.ts";

const servers = process.env["TEST_NATS_URL"] ?? "";
const subjects = [eventSubject(JobCompletedSchema)];
const dayMs = 24 * 3_600_000;

const open = new AsyncDisposableStack();
const training = open.use(serviceKeys("training"));
const content = open.use(serviceKeys("content"));
let attacker: NatsConnection;
beforeAll(async () => {
  attacker = await connect({ servers });
  open.defer(() => attacker.close());
});
afterAll(() => open.disposeAsync());

/** What is sent, as a service would; each case changes something of it. */
interface Message {
  subject: string;
  fields: MsgHdrs;
  data: Uint8Array;
}

function signed(record: OutboxRecord, { keys = training, at = new Date() } = {}): Message {
  const fields = toHeaders(record);
  signEvent(keys, fields, record.data, at);
  return { subject: subjectOf(record), fields, data: record.data };
}

function unsigned(record: OutboxRecord): Message {
  return { subject: subjectOf(record), fields: toHeaders(record), data: record.data };
}

function changed(message: Message, header: string, value: string): Message {
  message.fields.set(header, value);
  return message;
}

const event = () => completed("forged");
const forgeries: [string, string, () => Message][] = [
  ["without a signature", "unsigned", () => unsigned(event())],
  ["without any header", "unsigned", () => ({ ...unsigned(event()), fields: headers() })],
  ["signed by a service that may not publish it", "publisher", () => signed(event(), { keys: content })],
  ["with other data than was signed", "signature", () => ({ ...signed(event()), data: completed("other").data })],
  ["in the name of another organisation", "signature", () => changed(signed(event()), "ce-organisation", "other")],
  ["of another member", "signature", () => changed(signed(event()), "ce-memberid", "ada")],
  ["with another id", "signature", () => changed(signed(event()), "ce-id", "0199")],
  [
    "said to have been signed later",
    "signature",
    () => changed(signed(event()), "ce-signedat", "2027-01-01T00:00:00Z"),
  ],
  ["under the subject of another", "subject", () => ({ ...signed(event()), subject: subjectOf(completed("other")) })],
  ["that was signed long ago", "time", () => signed(event(), { at: new Date(Date.now() - 2 * dayMs) })],
  ["signed for a time to come", "time", () => signed(event(), { at: new Date(Date.now() + 2 * dayMs) })],
];

const send = (mesh: Mesh, { subject, fields, data }: Message) =>
  attacker.jetstream().publish(subject.replace("aiplatform", mesh.streamName), data, { headers: fields });

async function lettersOf(mesh: Mesh): Promise<{ subject: string; cause: string }[]> {
  const manager = await attacker.jetstreamManager();
  const { state } = await manager.streams.info(`${mesh.streamName}_dead`, { subjects_filter: ">" });
  const found = Object.keys(state.subjects ?? {}).map(async (subject) => {
    const { header } = await manager.streams.getMessage(`${mesh.streamName}_dead`, { last_by_subj: subject });
    return { subject, cause: header.get("dead-cause") };
  });
  return Promise.all(found);
}

describe("from the port of NATS alone, an event", () => {
  describe.each(forgeries)("%s", (_, reason, forge) => {
    it("has no effect, and what follows it has its own", async () => {
      await using mesh = await openMesh();
      const { store, stream } = mesh;
      const batches: string[] = [];
      stream.consume({ durable: "one", subjects, store, handler: recordEffect(store) });
      const handler = async (events: readonly { entityId: string }[]) => {
        batches.push(...events.map(({ entityId }) => entityId));
      };
      stream.consumeBatches({ durable: "many", subjects, handler });
      const keys = serviceKeys("gateway");
      await using listening = await connectEventStream({
        servers,
        keys,
        name: "listener",
        streamName: mesh.streamName,
      });
      const heard: string[] = [];
      listening.listen(subjects[0] ?? "", ({ headers: fields }) => void heard.push(fields.get("ce-subject") ?? ""));
      await eventually(() => stream.incarnation() && listening.incarnation(), "the stream");

      await send(mesh, forge());
      await stream.publish([completed("genuine")]);
      await eventually(async () => (await mesh.effects()).has("genuine"), "the effect of the genuine event");
      await eventually(() => batches.length > 0 && heard.length > 0, "the genuine event in a batch, and heard");
      expect([...(await mesh.effects()).keys()]).toEqual(["genuine"]);
      // A listener judges times by its own clock, as the consumers do by the server's.
      expect([batches, heard]).toEqual([["genuine"], ["genuine"]]);
      const letters = await lettersOf(mesh);
      expect(letters.map(({ subject }) => subject).sort()).toEqual([
        `${mesh.streamName}_dead.many.refused`,
        `${mesh.streamName}_dead.one.refused`,
      ]);
      expect(new Set(letters.map(({ cause }) => cause)).size).toBe(1);
      expect(letters[0]?.cause).toMatch(causes[reason] ?? "no cause");
    });
  });
});

const causes: Record<string, RegExp> = {
  unsigned: /has no signature/,
  publisher: /may not publish/,
  signature: /by no known key, or does not fit/,
  subject: /subject of another/,
  time: /at another time/,
};

describe("many forged events", () => {
  it("take a bounded part of the dead letters, and push none of them out", async () => {
    await using mesh = await openMesh();
    let handled = 0;
    const handler = async (events: readonly { entityId: string }[]) => {
      if (events.some(({ entityId }) => entityId === "bad")) throw new Error("a cause");
      handled += events.length;
    };
    mesh.stream.consumeBatches({ durable: "all", subjects, handler, maxDeliver: 1 });
    await eventually(() => mesh.stream.incarnation(), "the stream");
    await mesh.stream.publish([completed("bad")]);
    const letters = async () =>
      (await (await attacker.jetstreamManager()).streams.info(`${mesh.streamName}_dead`)).state.messages;
    await eventually(async () => (await letters()) === 1, "the dead letter");
    for (let n = 0; n < 6; n += 1) await Promise.all(Array.from({ length: 100 }, () => send(mesh, unsigned(event()))));
    const large = { ...unsigned(event()), data: new Uint8Array(10_000) };
    for (let n = 0; n < 3; n += 1) await send(mesh, large);
    await mesh.stream.publish([completed("genuine")]);
    await eventually(() => handled === 1, "the genuine event");
    expect(await letters()).toBe(501);
    expect((await lettersOf(mesh)).filter(({ cause }) => cause === "Error: a cause")).toHaveLength(1);
  });
});

/** Keys of identity that do not hold training's public one, until they learn it. */
function keysWithoutTraining() {
  const files = serviceKeyFiles("identity");
  const all = readFileSync(files.SERVICE_KEYS_FILE, "utf8");
  const directory = mkdtempSync(join(tmpdir(), "key-sets-"));
  open.defer(() => rmSync(directory, { recursive: true }));
  const set = join(directory, "service-keys.json");
  const isOthers = ({ kid }: { kid: string }) => !kid.startsWith("training");
  writeFileSync(set, JSON.stringify({ keys: JSON.parse(all).keys.filter(isOthers) }));
  const keys = open.use(new ServiceKeys({ ...files, SERVICE_KEYS_FILE: set }, { service: "identity" }));
  const learn = () => {
    writeFileSync(set, all);
    keys.refresh();
  };
  return { keys, learn };
}

describe("an event that is refused because a service does not know the key yet", () => {
  it("is handled once it does, when the operator asks for it", async () => {
    await using mesh = await openMesh();
    const { keys, learn } = keysWithoutTraining();
    await using stream = await connectEventStream({ servers, keys, name: "identity", streamName: mesh.streamName });
    const handled: string[] = [];
    const handler = async (events: readonly { entityId: string }[]) => {
      handled.push(...events.map(({ entityId }) => entityId));
    };
    const consumer = stream.consumeBatches({ durable: "all", subjects, handler });
    await eventually(() => stream.incarnation() && mesh.stream.incarnation(), "the stream");
    await mesh.stream.publish([completed("early")]);
    await eventually(async () => (await lettersOf(mesh)).length === 1, "the refused event");
    expect(await consumer.redrive()).toEqual({ handled: 0, failed: 1 });
    learn();
    expect(await consumer.redrive()).toEqual({ handled: 1, failed: 0 });
    expect(handled).toEqual(["early"]);
  });
});
