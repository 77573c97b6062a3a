import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { ArtifactCondition, ArtifactService } from "@aiplatform/contract/aiplatform/deployments/v1/artifacts";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Client, Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
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
      throw withRemedy(error);
    }
    throw new DeploymentsUnavailableError();
  }
}

/** What deployments says itself stays: callers are told its reason. */
function withRemedy(error: unknown): unknown {
  const failure = ConnectError.from(error);
  if (failure.code === Code.Unimplemented) {
    return new DeploymentsUnavailableError("is of a version that cannot read checkpoints: upgrade it", error);
  }
  const hasReason = failure.findDetails(ErrorInfoSchema).some(({ reason }) => reason !== "");
  return failure.code === Code.Unavailable && !hasReason ? new DeploymentsUnavailableError(undefined, error) : error;
}
