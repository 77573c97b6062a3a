import { newTestEnvironment, permissionsOf, type RigOptions, ServiceRig, startReplicas } from "@aiplatform/testkit";
import { readConfig, startContentService } from "../src/index.ts";

/** The service as a process of its own, which believes the keys of the tests. */
export const program = new URL("serve-with-keys.ts", import.meta.url);

/** Everything that content's own surface offers, read from the contract. */
export const everyPermission = permissionsOf("aiplatform.content.v1");

/** One or more replicas of content, in this process, with a database and a stream of their own, and two organisations. */
export class ContentRig extends ServiceRig {
  static async start(options: RigOptions = {}): Promise<ContentRig> {
    const parts = await startReplicas(newTestEnvironment("content"), options, (env, overrides) =>
      startContentService(readConfig(env), overrides),
    );
    return new ContentRig(parts, everyPermission);
  }
}
