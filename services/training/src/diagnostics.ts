import { checkService, type Diagnostics, hostChecks, peers } from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { readConfig, type TrainingConfig, trainingSettings } from "./config.ts";
import { trainingMigrations } from "./stores.ts";

export const diagnostics: Diagnostics<TrainingConfig> = {
  service: "training",
  settings: trainingSettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("training", config, env),
    ...mongodb(config, trainingMigrations),
    ...peers(config, { addresses: addressesOf(config) }),
  ],
};

function addressesOf({ IDENTITY_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS }: TrainingConfig) {
  return { IDENTITY_ADDRESS, DEPLOYMENTS_ADDRESS, DATA_ADDRESS };
}

export const check = checkService(diagnostics);
