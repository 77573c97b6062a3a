import { DatasetEmbeddingService } from "@aiplatform/contract/aiplatform/data/v1/dataset_embeddings";
import { DatasetVersionService } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { DeploymentService } from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { StepFailedError } from "./step-outcome.ts";

/** Training, as steps ask it. */
export interface TrainingClients {
  runs: Client<typeof RunService>;
  commands: Client<typeof ControlCommandService>;
  metrics: Client<typeof RunMetricsService>;
}

/** The data of datasets, as steps ask for it. */
export interface DataClients {
  versions: Client<typeof DatasetVersionService>;
  embeddings: Client<typeof DatasetEmbeddingService>;
}

/** gRPC addresses; none where a service is not set up. */
export interface ServiceAddresses {
  training: readonly string[];
  deployments: readonly string[];
  data: readonly string[];
}

/** The services in which steps do something. */
export class ServiceClients {
  readonly #connect: (addresses: readonly string[]) => Transport;
  readonly #addresses: ServiceAddresses;

  /** `connect` is called when a step needs a service. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: ServiceAddresses) {
    this.#connect = connect;
    this.#addresses = addresses;
  }

  /** @throws StepFailedError where no address of training is set */
  get training(): TrainingClients {
    const transport = this.#transport("training");
    return {
      runs: createClient(RunService, transport),
      commands: createClient(ControlCommandService, transport),
      metrics: createClient(RunMetricsService, transport),
    };
  }

  /** @throws StepFailedError where no address of deployments is set */
  get deployments(): Client<typeof DeploymentService> {
    return createClient(DeploymentService, this.#transport("deployments"));
  }

  /** @throws StepFailedError where no address of data is set */
  get data(): DataClients {
    const transport = this.#transport("data");
    return {
      versions: createClient(DatasetVersionService, transport),
      embeddings: createClient(DatasetEmbeddingService, transport),
    };
  }

  #transport(service: keyof ServiceAddresses): Transport {
    const addresses = this.#addresses[service];
    if (addresses.length === 0)
      throw new StepFailedError(`${service} is not set up here: ${service.toUpperCase()}_ADDRESS`);
    return this.#connect(addresses);
  }
}
