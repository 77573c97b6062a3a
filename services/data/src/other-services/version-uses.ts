import { LineageService } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { type Uses, usesOf } from "@aiplatform/service-kit/lineage";
import { Peer } from "@aiplatform/service-kit/peer";
import type { Transport } from "@connectrpc/connect";
import { DeploymentsUnavailableError } from "./dataset-predictions.ts";

/** Time that deployments has for its answer, for which it asks others, ms. */
const timeoutMs = 10_000;

/** What was made of versions, which deployments finds out. */
export class VersionUses {
  readonly #deployments: Peer;

  /** `connect` is called at the first question. `addresses`: none where deployments is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DEPLOYMENTS_ADDRESS is not set in data",
      unavailable: (why, cause) => new DeploymentsUnavailableError(why, cause),
    });
  }

  /** @throws DeploymentsUnavailableError, also where a service that deployments asks does not answer */
  async find({ organisationId, versionId: id }: { organisationId: string; versionId: string }): Promise<Uses> {
    const request = { organisationId, of: { kind: LineageKind.DATASET_VERSION, id } };
    const { uses } = await this.#deployments.ask(LineageService, (client) => client.findUses(request, { timeoutMs }));
    if (!uses) throw new DeploymentsUnavailableError("answers nothing");
    return usesOf(uses);
  }

  /** Undefined while it cannot be told. */
  async findIfKnown(ref: { organisationId: string; versionId: string }): Promise<Uses | undefined> {
    try {
      return await this.find(ref);
    } catch (error) {
      if (error instanceof DeploymentsUnavailableError) return undefined;
      throw error;
    }
  }
}
