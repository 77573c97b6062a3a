import { Peer } from "@aiplatform/service-kit/peer";
import type { Transport } from "@connectrpc/connect";

/** Training cannot be asked what only it knows. */
export class TrainingUnavailableError extends Error {
  override name = "TrainingUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`Training cannot be asked: ${why}. Nothing was changed.`, { cause });
  }
}

/** Calls to training. */
export class TrainingCalls extends Peer {
  /** `connect` is called at the first question. `addresses`: none where training is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    super({
      ...{ connect, addresses },
      unknown: "TRAINING_ADDRESS is not set in deployments",
      unavailable: (why, cause) => new TrainingUnavailableError(cause ? `it ${why}` : why, cause),
    });
  }
}
