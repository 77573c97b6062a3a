import { events } from "@aiplatform/contract/events";
import { describe, expect, it } from "vitest";
import { eventType } from "./event-record.ts";
import { authorizationText, keyVariable, natsPermissions, natsUsers } from "./nats-permissions.ts";
import { outboxSubject } from "./outbox-share.ts";
import { platformReaders } from "./stream-of.ts";

const services = natsUsers.filter((user) => user !== "operator");

/** Whether NATS lets a subject pass where it permits the others: `*` is one token, `>` the rest. */
function permits(permitted: readonly string[], subject: string): boolean {
  const tokens = subject.split(".");
  return permitted.some((each) => {
    const pattern = each.split(".");
    const rest = pattern.at(-1) === ">" ? pattern.length - 1 : undefined;
    if (rest === undefined ? pattern.length !== tokens.length : tokens.length <= rest) return false;
    return pattern.slice(0, rest).every((token, index) => token === "*" || token === tokens[index]);
  });
}

/** Services that may publish to a subject. */
const publishersOf = (subject: string) => services.filter((user) => permits(natsPermissions(user).publish, subject));
/** Services that may listen to a subject. */
const listenersOf = (subject: string) => services.filter((user) => permits(natsPermissions(user).subscribe, subject));

describe("an event of the contract", () => {
  it.each(events.map((schema) => eventType(schema)))("%s is announced by the service of its domain alone", (type) => {
    const domain = type.split(".")[1];
    const expected = domain === "mesh" ? services : services.filter((service) => service === domain);
    expect(expected).not.toEqual([]);
    expect(publishersOf(`${type}.organisation.entity`)).toEqual(expected);
  });
});

describe("a durable consumer", () => {
  it.each(platformReaders)("%s is used by the service of its name alone", (durable) => {
    const owner = [durable.split("-")[0]];
    for (const call of ["CONSUMER.DURABLE.CREATE", "CONSUMER.MSG.NEXT"])
      expect(publishersOf(`$JS.API.${call}.aiplatform.${durable}`)).toEqual(owner);
    expect(publishersOf(`$JS.ACK.aiplatform.${durable}.1.2.3.4.5`)).toEqual(owner);
    expect(publishersOf(`aiplatform_dead.${durable}.event`)).toEqual(owner);
    expect(listenersOf(`aiplatform_wake.redrive.${durable}`)).toEqual(owner);
    expect(publishersOf(`$JS.API.CONSUMER.DELETE.aiplatform.${durable}`)).toEqual([]);
  });
});

describe("the streams", () => {
  it.each(["CREATE.aiplatform", "UPDATE.aiplatform", "PURGE.aiplatform", "CREATE.aiplatform_dead"])(
    "are administered by identity alone: %s",
    (call) => expect(publishersOf(`$JS.API.STREAM.${call}`)).toEqual(["identity"]),
  );

  it.each(["DELETE.aiplatform", "DELETE.aiplatform_dead", "PURGE.aiplatform_dead", "CREATE.other", "RESTORE.other"])(
    "are beyond every service: %s",
    (call) => expect(publishersOf(`$JS.API.STREAM.${call}`)).toEqual([]),
  );
});

describe("an outbox", () => {
  it.each(services.filter((service) => service !== "gateway"))("of %s is told of by its replicas alone", (service) => {
    const subject = outboxSubject(service, "outbox");
    expect([publishersOf(subject), listenersOf(subject)]).toEqual([[service], [service]]);
  });
});

describe("an inbox", () => {
  it.each(services)("of %s is heard by it alone", (service) => {
    expect(listenersOf(`_INBOX_${service}.x.y`)).toEqual([service]);
  });

  it("of the client's usual name is heard by no service", () => {
    expect(listenersOf("_INBOX.x.y")).toEqual([]);
  });
});

describe("the configuration of a server", () => {
  it("names the keys by variables, which are not quoted", () => {
    const text = authorizationText(keyVariable);
    for (const user of natsUsers) expect(text).toContain(`"nkey": $${user.toUpperCase()}_NKEY,`);
  });

  it("has the subjects of another stream where it is called otherwise", () => {
    const { publish, subscribe } = natsPermissions("content", "other");
    expect([...publish, ...subscribe].filter((subject) => subject.includes("aiplatform"))).toEqual([]);
  });
});
