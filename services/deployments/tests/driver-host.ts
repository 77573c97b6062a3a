import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { findSandbox, runtimeCommand } from "@aiplatform/serving-runtime";
import { DirectoryStore } from "../src/artifacts/directory-store.ts";
import { ProcessDriver } from "../src/serving/process-driver/process-driver.ts";

// A process with a driver and one instance, to be killed.
const { HOME_OF_TEST: home = "", INSTANCE_SET: set = "", STUBBORN: stubborn = "" } = process.env;
const driver = await ProcessDriver.start({
  directory: join(home, "serving"),
  host: "127.0.0.1",
  artifacts: new DirectoryStore(join(home, "artifacts"), { maxBytes: 1_000_000 }),
  containment: { sandbox: await findSandbox(), trustsCode: true, network: false, allowedNetworks: [] },
  drainMs: 0,
  maxBytes: 1_048_576,
  newId: randomUUID,
  onOutput: () => {},
  // The directory is named all the same, for the process to be found by.
  commandOf: (options) => (stubborn === "" ? runtimeCommand(options) : ["-e", stubborn, options.directory]),
});
await driver.apply(JSON.parse(set));
process.stdout.write("started\n");
setInterval(() => {}, 1_000);
