import {
  callers,
  environmentOf,
  newTestEnvironment,
  permissionsOf,
  type RigOptions,
  ServiceRig,
  startReplicas,
} from "@aiplatform/testkit";
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

  /** One more replica, which finds what is stored by now; answers its number. */
  async add(settings: Record<string, string>): Promise<number> {
    return this.services.push(await startDataService(readConfig(environmentOf(this.home, settings)), { callers })) - 1;
  }
}
