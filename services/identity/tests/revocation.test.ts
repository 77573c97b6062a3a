import {
  type CredentialExchange,
  createCredentialExchange,
  type PresentedCredential,
} from "@aiplatform/caller-identity";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { connectEventStream, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { createMeshTransport } from "@aiplatform/service-host";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { eventually, reachable } from "./eventually.ts";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";

describe("the exchange cache of another process", () => {
  const parts = new AsyncDisposableStack();
  let rig: IdentityRig;
  let administrator: IdentityClients;
  let exchange: CredentialExchange;
  let asked = 0;
  beforeAll(async () => {
    rig = parts.use(await startIdentityRig({ ownProcess: true }));
    administrator = rig.as({ bearer: await rig.provider.token("ada") });
    const transport = createMeshTransport({ addresses: rig.service.addresses.grpc });
    parts.defer(() => transport.close());
    const client = createClient(CredentialService, transport);
    const counted: typeof client.exchangeCredential = (request, options) => {
      asked += 1;
      return client.exchangeCredential(request, options);
    };
    exchange = createCredentialExchange({ client: { exchangeCredential: counted }, now: () => new Date() });
    const { NATS_URL: servers, NATS_STREAM: streamName } = rig.config;
    const stream = parts.use(await connectEventStream({ servers, name: "another process", streamName }));
    stream.listen(eventSubject(CredentialChangedSchema), ({ data }) =>
      exchange.evict(decodeEvent(CredentialChangedSchema, data)),
    );
    await reachable(stream);
  });
  afterAll(async () => await parts.disposeAsync());

  const codeOf = (credential: PresentedCredential) =>
    exchange.exchange(credential).then(
      () => undefined,
      (error: unknown) => ConnectError.from(error).code,
    );

  /** How long a credential still opened the cache after `change` was answered, ms. */
  const opensFor = async (credential: PresentedCredential, change: () => Promise<unknown>) => {
    await change();
    const answered = performance.now();
    await eventually(async () => (await codeOf(credential)) !== undefined);
    return performance.now() - answered;
  };

  const newMember = async (name: string, roleIds: string[]) => {
    const { issuer } = rig.provider;
    const fields = { displayName: name, email: `${name}@acme.test`, issuer, subject: name };
    const { member } = await administrator.members.createMember({ member: fields, roleIds });
    return member?.id ?? "";
  };

  it("remembers a credential instead of asking again", async () => {
    const credential = { bearer: "", apiKey: rig.acme.apiKeySecret };
    await exchange.exchange(credential);
    const before = asked;
    await Promise.all(Array.from({ length: 50 }, () => exchange.exchange(credential)));
    expect(asked).toBe(before);
  });

  it("forgets a revoked key within a second", async () => {
    const made = await administrator.apiKeys.createApiKey({ name: "short", permissionIds: ["metrics:read"] });
    const credential = { bearer: "", apiKey: made.secret };
    expect(await codeOf(credential)).toBeUndefined();
    const apiKeyId = made.apiKey?.id ?? "";
    expect(await opensFor(credential, () => administrator.apiKeys.revokeApiKey({ apiKeyId }))).toBeLessThan(1_000);
    expect(await codeOf(credential)).toBe(Code.Unauthenticated);
  });

  it("forgets a revoked key within a second when it was shown beside a token", async () => {
    const made = await administrator.apiKeys.createApiKey({ name: "beside", permissionIds: ["metrics:read"] });
    const credential = { bearer: await rig.provider.token("ada"), apiKey: made.secret };
    expect(await codeOf(credential)).toBeUndefined();
    const apiKeyId = made.apiKey?.id ?? "";
    expect(await opensFor(credential, () => administrator.apiKeys.revokeApiKey({ apiKeyId }))).toBeLessThan(1_000);
  });

  it("learns a member's new roles within a second, and that they were deactivated", async () => {
    const { roles } = await administrator.roles.listRoles({});
    const idOf = (slug: string) => roles.find((role) => role.slug === slug)?.id ?? "";
    const memberId = await newMember("grace", [idOf("supervisor")]);
    const credential = { bearer: await rig.provider.token("grace"), apiKey: "" };
    expect([...(await exchange.exchange(credential)).permissions]).toContain("training:override");

    await administrator.members.setMemberRoles({ memberId, roleIds: [idOf("viewer")] });
    const answered = performance.now();
    await eventually(async () => !(await exchange.exchange(credential)).permissions.has("training:override"));
    expect(performance.now() - answered).toBeLessThan(1_000);
    expect([...(await exchange.exchange(credential)).permissions]).toEqual(["metrics:read", "workspaces:read"]);

    const deactivate = () => administrator.members.deactivateMember({ memberId });
    expect(await opensFor(credential, deactivate)).toBeLessThan(1_000);
  });
});
