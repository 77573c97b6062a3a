import { randomUUID } from "node:crypto";
import { OrganisationQuotasSetSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { connectEventStream, type EventStream, eventRecord } from "@aiplatform/event-stream";
import { hearChangedLimits, limitsMessage } from "@aiplatform/quotas";
import { eventually, newTestEnvironment, serviceKeys } from "@aiplatform/testkit";
import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const parts = new AsyncDisposableStack();
let identity: EventStream;
let content: EventStream;
let training: EventStream;
beforeAll(async () => {
  const { NATS_URL: servers, NATS_STREAM: streamName } = newTestEnvironment("content");
  const connect = async (service: string) =>
    parts.use(await connectEventStream({ servers, streamName, name: service, keys: serviceKeys(service) }));
  [identity, content, training] = [await connect("identity"), await connect("content"), await connect("training")];
});
afterAll(() => parts.disposeAsync());

/** Announces limits of a new organisation as that service, and answers its id. */
async function announce(from: EventStream): Promise<string> {
  const organisationId = randomUUID();
  const fields = { organisationId, revision: 1, limits: limitsMessage({ runs: 1 }) };
  const facts = { organisationId, entityId: organisationId, time: new Date() };
  await from.publish([eventRecord(OrganisationQuotasSetSchema, create(OrganisationQuotasSetSchema, fields), facts)]);
  return organisationId;
}

describe("a change of limits", () => {
  it("is heard by each replica, and only from identity", async () => {
    const heard = [new Set<string>(), new Set<string>()];
    for (const replica of heard) {
      parts.use(hearChangedLimits(content, { limitsChanged: (organisationId) => replica.add(organisationId) }));
    }
    const isHeard = (organisationId: string) => heard.every((replica) => replica.has(organisationId));
    // The first announcements may come before the subscriptions.
    await eventually(async () => {
      await announce(identity).catch(() => undefined);
      return heard.every(({ size }) => size > 0);
    }, "an announcement to be heard");
    const forged = await announce(training);
    const real = await announce(identity);
    await eventually(() => isHeard(real), "the announcement after it");
    expect(heard.some((replica) => replica.has(forged))).toBe(false);
  });
});
