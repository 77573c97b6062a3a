import { randomUUID } from "node:crypto";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { connectDocumentStore } from "@aiplatform/document-store";
import { readConfig, startIdentityService } from "@aiplatform/identity";
import { limitsMessage, type QuotaLimits } from "@aiplatform/quotas";
import type { RunningService } from "@aiplatform/service-host";
import { contextSigningKey, dropDatabase, environmentOf, newTestEnvironment, TestClient } from "@aiplatform/testkit";

const DELEGATION_SECRET = "delegation-secret-of-the-tests-0123456789";

/** A member with one role, which can be taken away. */
export interface KnownMember {
  memberId: string;
  /** Leaves the member's role these permissions. */
  setPermissions: (...permissionIds: string[]) => Promise<void>;
  /** Takes everything from the member. */
  deactivate: () => Promise<void>;
}

/** An organisation as its operator has it in hand. */
export interface KnownOrganisation {
  organisationId: string;
  suspend: () => Promise<void>;
  setQuotas: (limits: QuotaLimits) => Promise<void>;
}

/** The identity service beside content, which knows those in whose name automations act. */
export class IdentityBeside implements AsyncDisposable {
  readonly #parts: AsyncDisposableStack;
  readonly #environment: Record<string, string>;
  readonly #address: string;
  #service: RunningService;

  private constructor(parts: AsyncDisposableStack, environment: Record<string, string>, service: RunningService) {
    this.#parts = parts;
    this.#environment = environment;
    this.#service = service;
    this.#address = service.addresses.grpc;
  }

  static async start(): Promise<IdentityBeside> {
    const parts = new AsyncDisposableStack();
    const home = newTestEnvironment("identity");
    parts.defer(async () => {
      const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
      await using kept = await connectDocumentStore({ uri, database, appName: "content tests" });
      await dropDatabase(kept);
    });
    const settings = {
      CONTEXT_SIGNING_KEY: contextSigningKey,
      API_KEY_HASH_SECRET: "hash-secret-of-the-tests-0123456789abcdef",
      DELEGATION_SECRET,
      OIDC_ISSUERS: "[]",
    };
    const environment = environmentOf(home, settings);
    return new IdentityBeside(parts, environment, await startIdentityService(readConfig(environment)));
  }

  /** Is away while `work` is done, and then there again, at the same address. */
  async awayDuring(work: () => Promise<void>): Promise<void> {
    await this.#service.stop();
    await work();
    const GRPC_PORT = this.#address.split(":").at(-1) ?? "";
    this.#service = await startIdentityService(readConfig({ ...this.#environment, GRPC_PORT }));
  }

  /** Settings of a service that asks it. */
  get settings(): Record<string, string> {
    return { IDENTITY_ADDRESS: this.#address, DELEGATION_SECRET };
  }

  async newOrganisation(): Promise<KnownOrganisation> {
    const caller = { organisationId: "", permissions: ["organisations:manage"] };
    const operator = this.#parts.use(new TestClient(this.#address, caller)).client(OrganisationService);
    const slug = `o-${randomUUID()}`.slice(0, 30);
    const administrator = { displayName: "Ada", email: `${slug}@people.test` };
    const { organisation } = await operator.createOrganisation({ slug, name: slug, administrator });
    const organisationId = organisation?.id ?? "";
    return {
      organisationId,
      suspend: async () => void (await operator.suspendOrganisation({ organisationId })),
      setQuotas: async (limits) =>
        void (await operator.setOrganisationQuotas({ organisationId, limits: limitsMessage(limits) })),
    };
  }

  /** Makes an API key of the organisation, and answers its id. */
  async newKey(organisationId: string, permissionIds: readonly string[]): Promise<string> {
    const keys = this.#administrator(organisationId, permissionIds).client(ApiKeyService);
    const { apiKey } = await keys.createApiKey({ name: "key", permissionIds: [...permissionIds] });
    return apiKey?.id ?? "";
  }

  async newMember(organisationId: string, permissionIds: readonly string[]): Promise<KnownMember> {
    const administrator = this.#administrator(organisationId, permissionIds);
    const [roles, members] = [administrator.client(RoleService), administrator.client(MemberService)];
    const name = "Writer";
    const { role } = await roles.createRole({ name, slug: `r${randomUUID()}`, permissionIds: [...permissionIds] });
    const roleId = role?.id ?? "";
    const subject = randomUUID();
    const person = { displayName: "Ada", email: `${subject}@people.test`, issuer: "https://issuer.test", subject };
    const memberId = (await members.createMember({ member: person, roleIds: [roleId] })).member?.id ?? "";
    return {
      memberId,
      setPermissions: async (...left) => void (await roles.updateRole({ roleId, name, permissionIds: left })),
      deactivate: async () => void (await members.deactivateMember({ memberId })),
    };
  }

  /** Who may grant these permissions. */
  #administrator(organisationId: string, permissionIds: readonly string[]): TestClient {
    const permissions = ["apikeys:manage", "roles:manage", "members:manage", ...permissionIds];
    return this.#parts.use(new TestClient(this.#address, { organisationId, permissions }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.stop();
    await this.#parts.disposeAsync();
  }
}
