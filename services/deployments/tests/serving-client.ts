import {
  type CustomServingDeployment,
  DeploymentService,
  DeploymentStatus,
  RolloutStatus,
} from "@aiplatform/contract/aiplatform/deployments/v1/deployments";
import type { TestClient } from "@aiplatform/testkit";
import { eventually } from "@aiplatform/testkit";
import type { Client } from "@connectrpc/connect";
import type { DeploymentsRig } from "./deployments-rig.ts";

/** A handler that says which one it is. */
export const handlerSaying = (word: string) => `export default async () => ({ said: ${JSON.stringify(word)} });`;

/** What a bundle is made of here: its handler, and how it runs. */
export interface Bundle {
  handler: string;
  runConfig?: Record<string, unknown>;
}

function requestOf({ handler, runConfig = {} }: Bundle) {
  const schema = { text: "{}" };
  return {
    servingBundle: {
      schemaVersion: "serving.v1",
      runtime: { type: "prebuilt", value: "node" },
      interface: { input: schema, output: schema },
      name: "bundle",
      artifacts: [{ name: "handler", path: "handler.mjs", kind: "file" }],
    },
    artifacts: [{ name: "handler", content: { text: JSON.stringify(handler) }, contentType: "text/javascript" }],
    serverlessRunConfig: { text: JSON.stringify(runConfig) },
  };
}

/** Deploys handlers, and asks what serves them. */
export class ServingClient {
  readonly deployments: Client<typeof DeploymentService>;
  readonly organisationId: string;
  readonly #rig: Pick<DeploymentsRig, "store">;

  constructor(rig: Pick<DeploymentsRig, "store">, caller: TestClient) {
    this.#rig = rig;
    this.organisationId = caller.organisationId;
    this.deployments = caller.client(DeploymentService);
  }

  async deploy(bundle: Bundle, name = "digits"): Promise<string> {
    const answer = await this.deployments.createCustomServingDeployment({ name, ...requestOf(bundle) });
    return answer.deployment?.id ?? "";
  }

  async update(deploymentId: string, bundle: Bundle): Promise<void> {
    await this.deployments.updateCustomServingDeployment({ deploymentId, ...requestOf(bundle) });
  }

  async get(deploymentId: string): Promise<CustomServingDeployment> {
    const { deployment } = await this.deployments.getDeployment({ deploymentId });
    if (!deployment) throw new Error("the deployment is not there");
    return deployment;
  }

  /** Waits until its status, and where given that of its rollout, is this one. */
  comesTo(
    deploymentId: string,
    status: keyof typeof DeploymentStatus,
    rollout?: keyof typeof RolloutStatus,
  ): Promise<CustomServingDeployment> {
    return eventually(async () => {
      const deployment = await this.get(deploymentId);
      const isRolledOut = rollout === undefined || deployment.rolloutStatus === RolloutStatus[rollout];
      return deployment.status === DeploymentStatus[status] && isRolledOut && deployment;
    });
  }

  /** Where its instances answer, as stored. */
  async endpoints(deploymentId: string): Promise<{ versionId: string; url: string }[]> {
    const query = { _id: deploymentId };
    const found = await this.#rig.store.database.collection<{ _id: string }>("deployments").findOne(query);
    return found && "endpoints" in found && Array.isArray(found.endpoints) ? found.endpoints : [];
  }

  /** What a prediction answers; undefined where nothing answers. */
  async predict(deploymentId: string): Promise<{ status: number; body: unknown } | undefined> {
    const route = await this.deployments.resolvePredictionRoute({ deploymentId }).catch(() => undefined);
    const [target] = route?.targets ?? [];
    if (!target) return undefined;
    try {
      const response = await fetch(`${target.url}/v2/models/${target.modelName}/infer`, {
        method: "POST",
        headers: { authorization: `Bearer ${target.token}`, "content-type": "application/json" },
        body: JSON.stringify({ input: {} }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}
