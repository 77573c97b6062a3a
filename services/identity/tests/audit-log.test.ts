import { randomUUID } from "node:crypto";
import { AuditOutcome, type AuditRecord, AuditService } from "@aiplatform/contract/aiplatform/identity/v1/audit";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, eventually, failureOf } from "@aiplatform/testkit";
import { type Client, Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signToken } from "./forged-tokens.ts";
import { type IdentityRig, operatorKey, type Shown, showing, startIdentityRig } from "./identity-rig.ts";
import { newKey } from "./loopback-issuer.ts";
import { publishKeys } from "./published-keys.ts";

const audience = "https://aiplatform.test";
const parts = new AsyncDisposableStack();
let rig: IdentityRig;
let issuer: string;
let key: Awaited<ReturnType<typeof newKey>>;
beforeAll(async () => {
  key = await newKey();
  issuer = parts.use(await publishKeys([key])).url;
  const believed = { issuer, audience, jwks_uri: issuer, allow_http: true, match_verified_email: true };
  rig = parts.use(await startIdentityRig({ otherIssuers: [believed] }));
});
afterAll(() => parts.disposeAsync());

function auditAs(shown: Shown): Client<typeof AuditService> {
  const interceptors = [showing(shown), assertedAs("content")];
  const transport = createMeshTransport({ addresses: rig.service.addresses.grpc, interceptors });
  parts.defer(async () => transport.close());
  return createClient(AuditService, transport);
}

const acmeKey = () => ({ apiKey: rig.acme.apiKeySecret });
const under = (requestId: string) => ({ headers: { "x-request-id": requestId } });

/** Waits until the request has left its record, and answers it. */
async function recordOf(shown: Shown, requestId: string): Promise<AuditRecord | undefined> {
  const audit = auditAs(shown);
  let records: AuditRecord[] = [];
  await eventually(async () => {
    records = (await audit.listAuditRecords({ requestId })).records;
    return records.length > 0;
  });
  expect(records).toHaveLength(1);
  return records[0];
}

async function makeRoles(requestIds: readonly string[]): Promise<void> {
  const { roles } = rig.as(acmeKey());
  for (const requestId of requestIds) {
    const role = { name: "r", slug: `r${randomUUID()}`, permissionIds: [] };
    await roles.createRole(role, under(requestId));
    await recordOf(acmeKey(), requestId);
  }
}

describe("the audit log over the wire", () => {
  it("names the key that acted for itself, and no member", async () => {
    const requestId = randomUUID();
    await makeRoles([requestId]);
    const record = await recordOf(acmeKey(), requestId);
    expect(record).toMatchObject({
      organisationId: rig.acme.organisation?.id,
      action: "identity.role.created",
      outcome: AuditOutcome.DONE,
      actor: { credentialId: rig.acme.apiKey?.id },
    });
    expect(record?.actor?.memberId).toBeUndefined();
    expect(record?.entityId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("answers page by page, each record once, newest first", async () => {
    const requestIds = Array.from({ length: 5 }, () => randomUUID());
    await makeRoles(requestIds);
    const audit = auditAs(acmeKey());
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await audit.listAuditRecords({ action: "identity.role.created", limit: 2, cursor });
      expect(page.records.length).toBeLessThanOrEqual(2);
      seen.push(...page.records.map(({ requestId }) => requestId ?? ""));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(requestIds.toReversed());
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("records that a member took up an invitation, caused by the member's own call", async () => {
    const email = `${randomUUID()}@acme.test`;
    const { members, credentials } = rig.as(acmeKey());
    const { member } = await members.createMember({ member: { displayName: "Invited", email } });
    const iat = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: audience, sub: "newcomer", organisation: "acme", iat, exp: iat + 60 };
    const bearer = await signToken({ ...claims, email, email_verified: true }, key);
    await credentials.exchangeCredential({ bearer });
    const audit = auditAs(acmeKey());
    let records: AuditRecord[] = [];
    await eventually(async () => {
      const found = await audit.listAuditRecords({ action: "identity.member.joined", entityId: member?.id ?? "" });
      records = found.records;
      return records.length > 0;
    });
    expect(records).toMatchObject([{ actor: { memberId: member?.id, credentialId: `${issuer} newcomer` } }]);
  });

  it("shows an organisation nothing of another", async () => {
    const requestId = randomUUID();
    await makeRoles([requestId]);
    const theirs = auditAs({ apiKey: rig.globex.apiKeySecret });
    expect((await theirs.listAuditRecords({ requestId })).records).toEqual([]);
    const { records } = await theirs.listAuditRecords({ limit: 1_000 });
    expect(records.every(({ organisationId }) => organisationId === rig.globex.organisation?.id)).toBe(true);
  });

  it("shows the operator what concerns the installation, and nothing else", async () => {
    const requestId = randomUUID();
    await failureOf(rig.as({}).roles.listRoles({}, under(requestId)));
    const audit = auditAs({ bearer: operatorKey });
    let records: AuditRecord[] = [];
    await eventually(async () => {
      records = (await audit.listInstallationAuditRecords({ outcome: AuditOutcome.REFUSED, limit: 1_000 })).records;
      return records.some((record) => record.requestId === requestId);
    });
    const record = records.find((one) => one.requestId === requestId);
    expect(record).toMatchObject({ reason: "CREDENTIAL_MISSING", sourceAddress: "127.0.0.1" });
    expect(record?.organisationId).toBeUndefined();
    const done = (await audit.listInstallationAuditRecords({ outcome: AuditOutcome.DONE })).records;
    expect(done.map(({ action, actor }) => [action, actor?.credentialId])).toEqual([
      ["identity.organisation.created", "operator"],
      ["identity.organisation.created", "operator"],
    ]);
  });

  it("is for those who may read it", async () => {
    const { apiKeys } = rig.as(acmeKey());
    const { secret } = await apiKeys.createApiKey({ name: "weak", permissionIds: ["metrics:read"] });
    const refused = [
      auditAs({ apiKey: secret }).listAuditRecords({}),
      auditAs(acmeKey()).listInstallationAuditRecords({}),
      auditAs({ bearer: operatorKey }).listAuditRecords({}),
    ];
    const failures = await Promise.all(refused.map((call) => failureOf(call)));
    expect(failures.map(({ code, metadata }) => [code, metadata["permission"]])).toEqual([
      [Code.PermissionDenied, "audit:read"],
      [Code.PermissionDenied, "organisations:manage"],
      [Code.PermissionDenied, "audit:read"],
    ]);
  });

  it.each([
    ["a cursor of its own making", { cursor: "x" }, [["cursor", "CURSOR_INVALID"]]],
    ["a page of none", { limit: 0 }, [["limit", "INT32_GTE_LTE"]]],
  ])("refuses %s", async (_title, request, fields) => {
    const failure = await failureOf(auditAs(acmeKey()).listAuditRecords(request));
    expect([failure.code, failure.fields]).toEqual([Code.InvalidArgument, fields]);
  });
});
