/**
 * How fast the audit log follows: events of commands, already in the stream, until each has its record.
 *
 *     node services/identity/bench/audit.bench.ts [events, default 20000]
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ControlCommandCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import { connectDocumentStore, createIndexes } from "@aiplatform/document-store";
import { connectEventStream, eventRecord } from "@aiplatform/event-stream";
import { startInfra, until } from "@aiplatform/local-platform";
import { serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { AuditRecordStore } from "../src/audit-records/audit-record-store.ts";
import { consumeAuditedEvents } from "../src/audit-records/audited-event-consumer.ts";

const events = Number(process.argv[2] ?? 20_000);
const published = 500;
const directory = await mkdtemp(join(tmpdir(), "audit-bench-"));
await using parts = new AsyncDisposableStack();
parts.defer(() => rm(directory, { recursive: true, force: true }));
const { mongodbUri, natsUrl, stop } = await startInfra({ directory });
parts.defer(() => stop());
const store = parts.use(await connectDocumentStore({ uri: mongodbUri, database: "bench", appName: "bench" }));
await createIndexes(store, [AuditRecordStore.indexes]);
const stream = parts.use(await connectEventStream({ servers: natsUrl, keys: serviceKeys("training"), name: "bench" }));
const waitOptions = { withinMs: 120_000, everyMs: 20, otherwise: () => new Error("the audit log did not follow") };
await until(() => (stream.incarnation() === undefined ? undefined : true), waitOptions);

const organisationIds = Array.from({ length: 20 }, () => randomUUID());
const memberIds = Array.from({ length: 200 }, () => randomUUID());
for (let made = 0; made < events; made += published) {
  const batch = Array.from({ length: published }, (_, n) => {
    const organisationId = organisationIds[(made + n) % organisationIds.length] ?? "";
    const memberId = memberIds[(made + n) % memberIds.length] ?? "";
    const fields = { organisationId, runId: randomUUID(), commandId: randomUUID(), sequence: n, action: "pause" };
    return eventRecord(ControlCommandCreatedSchema, create(ControlCommandCreatedSchema, fields), {
      organisationId,
      entityId: fields.commandId,
      time: new Date(),
      cause: { memberId, credentialId: `https://issuer.example ${memberId}`, requestId: randomUUID() },
    });
  });
  await stream.publish(batch);
}

const cpuBefore = process.cpuUsage();
const startedAt = performance.now();
const consumer = consumeAuditedEvents({ stream, store, auditRecords: new AuditRecordStore(store), retentionDays: 0 });
const records = store.database.collection("audit_records");
await until(async () => ((await records.estimatedDocumentCount()) >= events ? true : undefined), waitOptions);
const seconds = (performance.now() - startedAt) / 1_000;
const { user, system } = process.cpuUsage(cpuBefore);
await consumer.close();
console.log(
  `${events} records in ${seconds.toFixed(1)} s: ${Math.round(events / seconds)} a second, ` +
    `${Math.round((user + system) / events)} µs of the service's CPU each`,
);
