import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { ArtifactCondition, ArtifactService } from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import type { Verification } from "../job-log/job-entry.ts";

/** Nothing can be said about what the artifact store has. */
export class DeploymentsUnavailableError extends Error {
  override name = "DeploymentsUnavailableError";
  constructor(cause?: unknown) {
    super("The service that keeps artifacts does not answer. Nothing was changed.", { cause });
  }
}

const verifications: ReadonlyMap<ArtifactCondition, Verification> = new Map([
  [ArtifactCondition.INTACT, "intact"],
  [ArtifactCondition.DAMAGED, "damaged"],
  [ArtifactCondition.MISSING, "missing"],
]);

/** Asks deployments, on behalf of the caller, to read checkpoints that lie in the artifact store. */
export class StoredCheckpoints {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];
  #artifacts: Client<typeof ArtifactService> | undefined;

  /** `connect` is called at the first verification. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** As long as reading takes. @throws DeploymentsUnavailableError and what deployments refuses */
  async verify(caller: ForwardedCaller, artifactSha256: string, signal: AbortSignal): Promise<Verification> {
    if (this.#addresses.length === 0) throw new DeploymentsUnavailableError();
    this.#artifacts ??= createClient(ArtifactService, this.#connect(this.#addresses));
    try {
      const options = { headers: credentialHeaders(caller, "deployments"), signal };
      for await (const { condition } of this.#artifacts.verifyArtifact({ artifactSha256 }, options)) {
        const verification = verifications.get(condition);
        if (verification) return verification;
      }
    } catch (error) {
      if (ConnectError.from(error).code !== Code.Unavailable) throw error;
      throw new DeploymentsUnavailableError(error);
    }
    throw new DeploymentsUnavailableError();
  }
}
