import { type FindUsesRequestSchema, LineageService } from "@aiplatform/contract/aiplatform/deployments/v1/lineage";
import { LineageKind } from "@aiplatform/contract/aiplatform/lineage/v1/lineage";
import { type Uses, usesOf } from "@aiplatform/service-kit/lineage";
import { Peer } from "@aiplatform/service-kit/peer";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";

/** Time that deployments has for its answer, ms. */
const timeoutMs = 5_000;

/** Deployments cannot be asked. Deletions go on without its answer. */
class UsesUnknownError extends Error {
  override name = "UsesUnknownError";
}

/** What was made of runs, which deployments finds out. */
export class RunUses {
  readonly #deployments: Peer;

  /** `connect` is called at the first question. `addresses`: none where deployments is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DEPLOYMENTS_ADDRESS is not set in training",
      unavailable: (why, cause) => new UsesUnknownError(`deployments ${why}`, { cause }),
    });
  }

  /** What was made of a run, also of one that is deleted. Undefined while it cannot be told. */
  ofRun(organisationId: string, id: string): Promise<Uses | undefined> {
    return this.#find({ organisationId, of: { kind: LineageKind.RUN, id } });
  }

  /** What was made of all runs of a pipeline, also of one that is deleted. Undefined while it cannot be told. */
  ofPipeline(organisationId: string, pipelineId: string): Promise<Uses | undefined> {
    return this.#find({ organisationId, pipelineId });
  }

  async #find(request: MessageInitShape<typeof FindUsesRequestSchema>): Promise<Uses | undefined> {
    try {
      const { uses } = await this.#deployments.ask(LineageService, (client) => client.findUses(request, { timeoutMs }));
      return uses && usesOf(uses);
    } catch (error) {
      // The deletion is done: whatever deployments says, it is no reason to answer with an error.
      if (error instanceof UsesUnknownError || error instanceof ConnectError) return undefined;
      throw error;
    }
  }
}
