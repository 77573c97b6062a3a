import { type CredentialExchange, createCredentialExchange } from "@aiplatform/caller-identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import type { Platform } from "@aiplatform/service-host";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { onSchedule } from "../automation-schedules/schedule.ts";
import { DelegationMissingError, type Delegations, type GivenDelegation } from "../automation-steps/delegations.ts";
import { StepFailedError } from "../automation-steps/step-outcome.ts";
import type { Version } from "../automations/automation.ts";
import { stepsDigest } from "../automations/steps-digest.ts";
import { triggerPermission } from "../automations/trigger.ts";

/** Checks whether steps may still do, and runs still read, what their publisher let them. */
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
  async authorize(version: Version, permissionIds: readonly string[]): Promise<void> {
    const delegation = delegationOf(version);
    if (permissionIds.length === 0) return;
    const permissions = await this.#permissions(version.organisationId, delegation);
    const lacking = permissionIds.find((permission) => !permissions.has(permission));
    if (lacking !== undefined) throw new StepFailedError(`The publisher no longer has permission ${lacking}`);
  }

  /**
   * Whether runs of the version may read events of this name, `domain.entity.happened`, or start on a schedule.
   * @throws StepFailedError that says why not; ConnectError UNAVAILABLE while identity cannot be asked
   */
  async authorizeTrigger(version: Version, event: string): Promise<void> {
    const needed = triggerPermission(event);
    if (needed === undefined) throw new StepFailedError(`No event ${event} can start a run`);
    const permissions = await this.#permissions(version.organisationId, delegationOf(version));
    if (permissions.has(needed)) return;
    const remedy = "Grant it to the publisher, or publish the automation again";
    const purpose = event === onSchedule ? "Starting runs on a schedule" : `Reading ${event}`;
    throw new StepFailedError(`${purpose} needs permission ${needed}, which the publisher lacks. ${remedy}`);
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

/** @throws StepFailedError when the version is another than the one that the delegation is for */
export function delegationOf(version: Version): GivenDelegation {
  const { delegationId, delegatedDigest } = version;
  if (delegatedDigest === undefined) return { delegationId, digest: undefined };
  const digest = stepsDigest(version);
  if (digest === delegatedDigest) return { delegationId, digest };
  throw new StepFailedError("The steps are not those that were published: publish the automation again");
}
