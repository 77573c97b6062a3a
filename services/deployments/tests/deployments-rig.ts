import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningService } from "@aiplatform/service-host";
import {
  callers,
  environmentOf,
  newTestEnvironment,
  permissionsOf,
  type RigOptions,
  ServiceRig,
  startReplicas,
  type TestEnvironment,
} from "@aiplatform/testkit";
import { readConfig, startDeploymentsService } from "../src/index.ts";

/** The service as a process of its own, which believes the keys of the tests. */
export const program = new URL("serve-with-keys.ts", import.meta.url);

/** Everything that deployments's own surface offers, read from the contract. */
const everyPermission = permissionsOf("aiplatform.deployments.v1");

/** Where deployments keeps its data: shared by replicas. */
export interface DeploymentsHome extends TestEnvironment {
  ARTIFACTS_DIRECTORY: string;
  SERVING_DIRECTORY: string;
  SECRETS_KEYS: string;
  /** The tests also pass on a machine without a sandbox. */
  TRUST_SERVING_CODE: string;
}

/** A key that opens nothing yet, as SECRETS_KEYS takes it. */
export const newKeyRing = (id: string): string => JSON.stringify([{ id, key: randomBytes(32).toString("base64") }]);

/** A database, a stream and directories of this test's own. */
export function newDeploymentsHome(): DeploymentsHome {
  const home = newTestEnvironment("deployments");
  const directory = join(tmpdir(), home.MONGODB_DATABASE);
  return {
    ...home,
    ARTIFACTS_DIRECTORY: join(directory, "artifacts"),
    SERVING_DIRECTORY: join(directory, "serving"),
    SECRETS_KEYS: newKeyRing("first"),
    TRUST_SERVING_CODE: "true",
  };
}

/** One or more replicas of deployments, in this process, with a database and a stream of their own, and two organisations. */
export class DeploymentsRig extends ServiceRig<DeploymentsHome> {
  static async start(options: RigOptions = {}): Promise<DeploymentsRig> {
    const parts = await startReplicas(newDeploymentsHome(), options, (env, overrides) =>
      startDeploymentsService(readConfig(env), overrides),
    );
    return new DeploymentsRig(parts, everyPermission);
  }

  /** One more replica on the same database, which ends with the rig. */
  async addReplica(settings: Record<string, string> = {}): Promise<RunningService> {
    const env = environmentOf(this.home, {
      ...settings,
      SERVING_DIRECTORY: `${this.home.SERVING_DIRECTORY}-${randomUUID()}`,
    });
    const replica = await startDeploymentsService(readConfig(env), { callers });
    this.services.push(replica);
    return replica;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(join(this.home.ARTIFACTS_DIRECTORY, ".."), { recursive: true, force: true });
  }
}
