import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { RunFileNotFoundError, type RunOfPipeline } from "./run-file.ts";

/** Time that training has for its answer, ms. */
const timeoutMs = 5_000;

/** It is not known whether there is such a run. */
export class RunsUnavailableError extends Error {
  override name = "RunsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`Files of runs cannot be stored at the moment: ${why}`, { cause });
  }
}

/** Asks training for runs, on behalf of the caller. */
export class KnownRuns {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: readonly string[];

  /** `addresses`: none where training is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** @throws RunFileNotFoundError, RunsUnavailableError, and what training refuses */
  async assert(caller: ForwardedCaller, { pipelineId, runId }: RunOfPipeline): Promise<void> {
    if (this.#addresses.length === 0) throw new RunsUnavailableError("TRAINING_ADDRESS is not set in deployments");
    const client = createClient(RunService, this.#connect(this.#addresses));
    try {
      await client.getRun({ runId, pipelineId }, { headers: credentialHeaders(caller, "training"), timeoutMs });
    } catch (error) {
      const { code } = ConnectError.from(error);
      if (code === Code.NotFound) throw new RunFileNotFoundError();
      const isSilent = code === Code.Unavailable || code === Code.DeadlineExceeded;
      throw isSilent ? new RunsUnavailableError("training does not answer", error) : error;
    }
  }
}
