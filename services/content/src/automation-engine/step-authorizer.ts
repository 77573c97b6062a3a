import { type CredentialExchange, createCredentialExchange } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import type { Platform } from "@aiplatform/service-host";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { DelegationMissingError, type Delegations, type GivenDelegation } from "../automation-steps/delegations.ts";
import { StepFailedError } from "../automation-steps/step-outcome.ts";

/** Checks whether steps may still do what their publisher let them do. */
export class StepAuthorizer {
  readonly #delegations: Pick<Delegations, "headers">;
  readonly #connect: () => CredentialExchange;
  #exchange: CredentialExchange | undefined;

  /** Identity is asked for once a step needs a permission. */
  constructor(
    { exchange, peers, clock }: Pick<Platform, "exchange" | "peers" | "clock">,
    { delegations, identity }: { delegations: Pick<Delegations, "headers">; identity: readonly string[] },
  ) {
    this.#delegations = delegations;
    const make = () =>
      createCredentialExchange({ client: createClient(CredentialService, peers(identity)), now: clock });
    this.#connect = () => exchange ?? make();
  }

  /** @throws StepFailedError that names what is lacking; ConnectError UNAVAILABLE while identity cannot be asked */
  async authorize(
    { organisationId, delegation }: { organisationId: string; delegation: GivenDelegation },
    permissionIds: readonly string[],
  ): Promise<void> {
    if (permissionIds.length === 0) return;
    const permissions = await this.#permissions(organisationId, delegation);
    const lacking = permissionIds.find((permission) => !permissions.has(permission));
    if (lacking !== undefined) throw new StepFailedError(`The publisher no longer has permission ${lacking}`);
  }

  async #permissions(organisationId: string, delegation: GivenDelegation): Promise<ReadonlySet<string>> {
    try {
      const shown = this.#delegations.headers(organisationId, delegation).get("authorization") ?? "";
      this.#exchange ??= this.#connect();
      const caller = await this.#exchange.exchange({ bearer: shown.replace(/^Bearer /, ""), apiKey: "" });
      return caller.permissions;
    } catch (cause) {
      if (cause instanceof DelegationMissingError) throw new StepFailedError(cause.message, { cause });
      if (!(cause instanceof ConnectError) || cause.code !== Code.Unauthenticated) throw cause;
      throw new StepFailedError("The publisher's delegation was revoked: publish it again", { cause });
    }
  }
}
