import { randomUUID } from "node:crypto";
import { delegationCredential } from "@aiplatform/caller-identity";
import { type Organisation, OrganisationState } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import { delegationSecret, type IdentityClients } from "./identity-rig.ts";

const { ACTIVE, SUSPENDED } = OrganisationState;
const suspended = { code: Code.PermissionDenied, reason: "ORGANISATION_SUSPENDED" };

let administration: AdministrationRig;
let operator: IdentityClients;
/** Acme's, by name. */
let credentials: Record<string, { bearer?: string; apiKey?: string }>;
const organisationId = () => administration.rig.acme.organisation?.id ?? "";
const suspend = async () =>
  (await operator.organisations.suspendOrganisation({ organisationId: organisationId() })).organisation;
const restore = async () =>
  (await operator.organisations.restoreOrganisation({ organisationId: organisationId() })).organisation;
const stateOf = (organisation: Organisation | undefined) => organisation?.state;

beforeAll(async () => {
  administration = await startAdministrationRig();
  operator = administration.operator;
  const delegationId = randomUUID();
  const wanted = { delegationId, purpose: "tests", permissionIds: ["metrics:read"] };
  await administration.acme.delegations.createDelegation(wanted);
  const bearer = delegationCredential(delegationSecret, { organisationId: organisationId(), delegationId });
  const token = await administration.rig.provider.token("ada");
  const apiKey = administration.rig.acme.apiKeySecret;
  credentials = {
    "an API key": { apiKey },
    "an API key as a bearer": { bearer: apiKey },
    "a member's token": { bearer: token },
    "a token and a key together": { bearer: token, apiKey },
    "a delegation": { bearer },
  };
});
afterAll(async () => await administration[Symbol.asyncDispose]());
beforeEach(async () => void (await restore()));

describe.each([
  "an API key",
  "an API key as a bearer",
  "a member's token",
  "a token and a key together",
  "a delegation",
])("%s of a suspended organisation", (name) => {
  const exchange = () => administration.rig.as({}).credentials.exchangeCredential(credentials[name] ?? {});

  it("is refused for the suspension alone, and accepted once the organisation is restored", async () => {
    await exchange();
    await suspend();
    expect(await failureOf(exchange())).toMatchObject(suspended);
    await restore();
    await exchange();
  });
});

describe("a suspended organisation", () => {
  it("is refused at identity itself, for reads as well", async () => {
    await suspend();
    expect(await failureOf(administration.acme.organisations.getOrganisation({}))).toMatchObject(suspended);
  });

  it("does not keep its operator or other organisations from anything", async () => {
    await suspend();
    const { organisation } = await administration.globex.organisations.getOrganisation({});
    expect(stateOf(organisation)).toBe(ACTIVE);
    await operator.audit.listInstallationAuditRecords({});
  });

  it("is not told apart from others by one whose credential is bad", async () => {
    await suspend();
    const unknown = administration.rig.as({}).credentials.exchangeCredential({ apiKey: `aip_${"x".repeat(43)}` });
    expect(await failureOf(unknown)).toMatchObject({ code: Code.Unauthenticated });
  });
});

describe("suspending and restoring", () => {
  it("answer the state, also when they are repeated", async () => {
    expect([stateOf(await suspend()), stateOf(await suspend())]).toEqual([SUSPENDED, SUSPENDED]);
    expect([stateOf(await restore()), stateOf(await restore())]).toEqual([ACTIVE, ACTIVE]);
  });

  it("are refused to everyone but the operator", async () => {
    const { organisations } = administration.acme;
    // One after the other: what fails before it is waited for ends the run.
    for (const refused of [
      () => organisations.suspendOrganisation({ organisationId: organisationId() }),
      () => organisations.restoreOrganisation({ organisationId: organisationId() }),
    ]) {
      expect(await failureOf(refused())).toMatchObject({ code: Code.PermissionDenied, reason: "PERMISSION_MISSING" });
    }
  });

  it("know only organisations that there are", async () => {
    const unknown = { organisationId: randomUUID() };
    expect(await failureOf(operator.organisations.suspendOrganisation(unknown))).toMatchObject({ code: Code.NotFound });
    expect(await failureOf(operator.organisations.restoreOrganisation(unknown))).toMatchObject({ code: Code.NotFound });
  });

  it("find an organisation by its id alone, in either case", async () => {
    const upper = organisationId().toUpperCase();
    await operator.organisations.suspendOrganisation({ organisationId: upper });
    expect(await failureOf(administration.acme.organisations.getOrganisation({}))).toMatchObject(suspended);
  });
});
