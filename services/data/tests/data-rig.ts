import { newTestEnvironment, permissionsOf, type RigOptions, ServiceRig, startReplicas } from "@aiplatform/testkit";
import { readConfig, startDataService } from "../src/index.ts";

/** Everything that the service's own surface offers, read from the contract. */
const everyPermission = permissionsOf("aiplatform.data.v1");

/** One or more replicas of the data service, in this process, with a database and a stream of their own, and two organisations. */
export class DataRig extends ServiceRig {
  static async start(options: RigOptions = {}): Promise<DataRig> {
    const parts = await startReplicas(newTestEnvironment("data"), options, (env, overrides) =>
      startDataService(readConfig(env), overrides),
    );
    return new DataRig(parts, everyPermission);
  }
}
