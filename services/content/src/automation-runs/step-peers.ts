import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { StepFailedError } from "./step.ts";

/** Training, as steps ask it. */
export interface TrainingPeer {
  runs: Client<typeof RunService>;
  commands: Client<typeof ControlCommandService>;
  metrics: Client<typeof RunMetricsService>;
}

/** The services in which steps do something. */
export class StepPeers {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: { training: readonly string[]; deployments: readonly string[] };

  /** `connect` is called when a step needs a service. */
  constructor(o: {
    connect: (addresses: readonly string[]) => Transport;
    training: readonly string[];
    deployments: readonly string[];
  }) {
    this.#connect = o.connect;
    this.#addresses = o;
  }

  /** Throws StepFailedError where no address of training is set. */
  get training(): TrainingPeer {
    const transport = this.#transport("training");
    return {
      runs: createClient(RunService, transport),
      commands: createClient(ControlCommandService, transport),
      metrics: createClient(RunMetricsService, transport),
    };
  }

  /** Throws StepFailedError where no address of deployments is set. */
  get deployments(): Client<typeof DeploymentService> {
    return createClient(DeploymentService, this.#transport("deployments"));
  }

  #transport(peer: "training" | "deployments"): Transport {
    const addresses = this.#addresses[peer];
    if (addresses.length === 0) throw new StepFailedError(`${peer} is not set up here: ${peer.toUpperCase()}_ADDRESS`);
    return this.#connect(addresses);
  }
}
