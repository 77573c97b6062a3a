import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { ArtifactCondition, ArtifactService } from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { Peer } from "@aiplatform/service-kit/peer";
import { Code, type Transport } from "@connectrpc/connect";
import type { Verification } from "../job-log/job-entry.ts";

/** Nothing can be said about what the artifact store has. */
export class DeploymentsUnavailableError extends Error {
  override name = "DeploymentsUnavailableError";
  constructor(why = "does not answer", cause?: unknown) {
    super(`The service that keeps artifacts ${why}. Nothing was changed.`, { cause });
  }
}

const verifications: ReadonlyMap<ArtifactCondition, Verification> = new Map([
  [ArtifactCondition.INTACT, "intact"],
  [ArtifactCondition.DAMAGED, "damaged"],
  [ArtifactCondition.MISSING, "missing"],
]);

/** Asks deployments, on behalf of the caller, to read checkpoints that lie in the artifact store. */
export class StoredCheckpoints {
  readonly #deployments: Peer;

  /** `connect` is called at the first verification. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "does not answer",
      // Reading takes as long as it takes: there is no deadline.
      silent: [Code.Unavailable, Code.Unimplemented],
      keepsReasons: true,
      unavailable: (why, cause) => new DeploymentsUnavailableError(why, cause),
    });
  }

  /** As long as reading takes. @throws DeploymentsUnavailableError and what deployments refuses */
  async verify(caller: ForwardedCaller, artifactSha256: string, signal: AbortSignal): Promise<Verification> {
    const client = this.#deployments.client(ArtifactService);
    try {
      const options = { headers: credentialHeaders(caller, "deployments"), signal };
      for await (const { condition } of client.verifyArtifact({ artifactSha256 }, options)) {
        const verification = verifications.get(condition);
        if (verification) return verification;
      }
    } catch (error) {
      throw this.#deployments.translated(error);
    }
    throw new DeploymentsUnavailableError();
  }
}
