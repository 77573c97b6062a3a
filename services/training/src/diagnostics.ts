import { checkService, type Diagnostics, hostChecks, peers } from "@aiplatform/doctor";
import { mongodb } from "@aiplatform/doctor/mongodb";
import { readConfig, type TrainingConfig, trainingSettings } from "./config.ts";

export const diagnostics: Diagnostics<TrainingConfig> = {
  service: "training",
  settings: trainingSettings,
  readConfig,
  checks: (config, env) => [
    ...hostChecks("training", config, env),
    ...mongodb(config),
    ...peers(config, { addresses: { IDENTITY_ADDRESS: config.IDENTITY_ADDRESS } }),
  ],
};

export const check = checkService(diagnostics);
