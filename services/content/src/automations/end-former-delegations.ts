import type { Caller } from "@aiplatform/caller-identity";
import type { Delegations } from "../automation-steps/delegations.ts";
import type { AutomationVersionStore } from "./automation-version-store.ts";

/** Tells whether a run of a version is under way. */
export interface OpenRuns {
  isOpen: (organisationId: string, version: { automationId: string; versionId: string }) => Promise<boolean>;
}

interface Dependencies {
  automationVersions: AutomationVersionStore;
  automationRuns: OpenRuns;
  delegations: Delegations;
}

/** Ends what the steps of former versions were let do, but for versions that still run: the next publish ends those. */
export async function endFormerDelegations(
  { automationVersions, automationRuns, delegations }: Dependencies,
  caller: Pick<Caller, "organisationId" | "signedContext">,
  automationId: string,
): Promise<void> {
  const { organisationId } = caller;
  for (const { id, delegationId } of await automationVersions.formerWithDelegation(organisationId, automationId)) {
    if (await automationRuns.isOpen(organisationId, { automationId, versionId: id })) continue;
    if (await delegations.end(caller, delegationId)) await automationVersions.forgetDelegation(organisationId, id);
  }
}
