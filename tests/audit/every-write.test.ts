import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import { events } from "@aiplatform/contract/events";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { getOption } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import type { Json } from "../mesh/rest.ts";
import { type Answered, AuditEnvironment, methods, type ShownRecord } from "./audit-environment.ts";
import { shownElsewhere, validRequests } from "./valid-requests.ts";

/** Every event of the contract as the audit log calls it, by the message's full name. */
const actionOf = new Map(
  events.map((message) => {
    const { domain, entity, happened } = getOption(message, event);
    return [message.typeName, `${domain}.${entity}.${happened}`] as const;
  }),
);
/** Every RPC that leaves a record, and what as. */
const recorded = [...methods].flatMap(([name, method]) => {
  const { recordedAs } = getOption(method, access);
  return recordedAs.length === 0 ? [] : [{ name, actions: recordedAs.map((message) => actionOf.get(message)) }];
});
const requested = recorded.filter((rpc) => !(rpc.name in shownElsewhere));
const byOperator = new Set(
  [
    "CreateOrganisation",
    "SuspendOrganisation",
    "RestoreOrganisation",
    "SetOrganisationQuotas",
    "DeleteOrganisation",
  ].map((name) => `OrganisationService/${name}`),
);
const isPublic = (name: string) => {
  const method = methods.get(name);
  return method !== undefined && getOption(method, access).rule.case === "public";
};

let platform: LocalPlatform;
let environment: AuditEnvironment;
const inputs = new Map<string, Json>();
const answers = new Map<string, Answered>();
let administrator: { id: string; credentialId: string };
let counts: Map<string, number>;
let ofInstallation: ShownRecord[];

sharedPlatform((started) => (platform = started));
beforeAll(async () => {
  const since = new Date();
  environment = await AuditEnvironment.of(platform, platform.directory);
  const { iss, sub } = JSON.parse(atob(platform.description.bearer.split(".")[1] ?? ""));
  const { members } = await environment.made("MemberService/ListMembers", {});
  const { id } = members.find(({ subject }: { subject: string }) => subject === sub);
  administrator = { id, credentialId: `${iss} ${sub}` };
  for (const { name } of requested) answers.set(name, await answerTo(name));
  await environment.settled();
  counts = await environment.counts([...answers.values()].map(({ requestId }) => requestId));
  ofInstallation = await environment.installationRecords(since);
}, 180_000);

/** One that cannot even be prepared is its own row's failure. */
async function answerTo(name: string): Promise<Answered> {
  const bearer = isPublic(name) ? { bearer: null } : byOperator.has(name) ? { bearer: environment.operatorKey } : {};
  try {
    inputs.set(name, await validRequests[name]?.(environment));
    return await environment.call(name, inputs.get(name), bearer);
  } catch (error) {
    return { requestId: "", code: "not made", body: String(error) };
  }
}

describe("the table of requests", () => {
  it("has a row for each RPC that leaves a record, and no other", () => {
    const rows = [...Object.keys(validRequests), ...Object.keys(shownElsewhere)];
    expect(rows.toSorted()).toEqual(recorded.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(shownElsewhere))("leaves %s to a test that calls it", async (name, test) => {
    const text = await readFile(join(import.meta.dirname, "../..", test), "utf8");
    const method = name.split("/").at(-1) ?? "";
    expect(text).toContain(`.${method.charAt(0).toLowerCase()}${method.slice(1)}(`);
  });
});

describe("a write leaves exactly one record, with its actor, organisation and request:", () => {
  it.each(requested)("$name", async ({ name, actions }) => {
    const { code, requestId, body } = answers.get(name) ?? { code: "not made", requestId: "", body: "" };
    // A link that the provider's side refuses is a write all the same: of its failure.
    const expected = name === "ExternalOauthService/CompleteExternalLink" ? code : "ok";
    expect([code, body]).toEqual([expected, body]);
    expect(counts.get(requestId)).toBe(1);
    const records = byOperator.has(name)
      ? ofInstallation.filter((record) => record.request_id === requestId)
      : await environment.recordsOf(requestId);
    expect(records).toHaveLength(1);
    const [record] = records;
    expect(actions).toContain(record?.action);
    expect(record).toMatchObject({ request_id: requestId, outcome: "done", reason: null, rpc: null });
    if (byOperator.has(name)) {
      expect(record?.actor).toEqual({ member_id: null, credential_id: "operator" });
      expect(record?.organisation_id).toBe(inputs.get(name).organisationId ?? body.organisation.id);
    } else {
      expect(record?.actor.member_id).toBe(administrator.id);
      expect(record?.organisation_id).toBe(environment.platform.description.organisation_id);
      if (!isPublic(name)) expect(record?.actor.credential_id).toBe(administrator.credentialId);
    }
  });
});
