/** What a training run is told; saved with every checkpoint. */
export interface Hyperparameters {
  /** Peak of the schedule. */
  learningRate: number;
  /** Share of the last update that is carried on, 0 to below 1. */
  momentum: number;
  /** Images a step learns from. */
  batchSize: number;
  /** Where all randomness starts. */
  seed: number;
  /** Steps between two looks at a thousand test images. */
  evalEvery: number;
  /** Steps that one reported training loss is the mean of. */
  logEvery: number;
  /** Steps between two checkpoints that are taken whatever the accuracy. */
  checkpointEvery: number;
  /** Steps until the schedule, and with it the job, ends. */
  plannedSteps: number;
}

export const defaultHyperparameters: Hyperparameters = {
  learningRate: 0.02,
  momentum: 0.9,
  batchSize: 32,
  seed: 20_171_116,
  evalEvery: 25,
  logEvery: 10,
  checkpointEvery: 1_000,
  plannedSteps: 270_000,
};

/** When a key may be changed: hot, at any time; cold, only with a warm restart. */
export interface HyperparameterRule {
  key: keyof Hyperparameters;
  class: "hot" | "cold";
  integer: boolean;
  minimum: number;
  maximum: number;
}

/** The keys that commands may override, by the name they have there. */
export const overridable: Readonly<Record<string, HyperparameterRule>> = {
  learning_rate: { key: "learningRate", class: "hot", integer: false, minimum: 0, maximum: 1 },
  momentum: { key: "momentum", class: "hot", integer: false, minimum: 0, maximum: 0.999 },
  eval_every: { key: "evalEvery", class: "hot", integer: true, minimum: 1, maximum: 1_000_000 },
  log_every: { key: "logEvery", class: "hot", integer: true, minimum: 1, maximum: 1_000_000 },
  batch_size: { key: "batchSize", class: "cold", integer: true, minimum: 1, maximum: 4_096 },
  seed: { key: "seed", class: "cold", integer: true, minimum: 0, maximum: 4_294_967_295 },
};

/** Keys that only the job's declaration sets. */
const declared: Readonly<Record<string, HyperparameterRule>> = {
  ...overridable,
  checkpoint_every: { key: "checkpointEvery", class: "cold", integer: true, minimum: 1, maximum: 1_000_000 },
  planned_steps: { key: "plannedSteps", class: "cold", integer: true, minimum: 1, maximum: 4_000_000_000 },
};

/** A value that the trainer does not take; the message names the key. */
export class OverrideError extends Error {
  override name = "OverrideError";
  readonly key: string;
  constructor(key: string, problem: string) {
    super(`${key} ${problem}`);
    this.key = key;
  }
}

/** The hyperparameters with a command's overrides applied; OverrideError when one cannot be changed now. */
export function withOverrides(now: Hyperparameters, overrides: object, allowCold: boolean): Hyperparameters {
  return changed(now, overrides, (key) => {
    const rule = overridable[key];
    if (rule?.class === "cold" && !allowCold) throw new OverrideError(key, "can only be changed by a warm restart");
    return rule;
  });
}

/** The hyperparameters a job's declaration asks for; OverrideError when it asks for what there is not. */
export function withConfiguration(configuration: object): Hyperparameters {
  return changed(defaultHyperparameters, configuration, (key) => declared[key]);
}

function changed(
  now: Hyperparameters,
  changes: object,
  ruleOf: (key: string) => HyperparameterRule | undefined,
): Hyperparameters {
  const result = { ...now };
  for (const [key, value] of Object.entries(changes)) {
    const rule = Object.hasOwn(declared, key) ? ruleOf(key) : undefined;
    if (!rule) throw new OverrideError(key, "is not a setting of this trainer");
    if (typeof value !== "number" || (rule.integer && !Number.isInteger(value))) {
      throw new OverrideError(key, rule.integer ? "must be a whole number" : "must be a number");
    }
    if (!(value >= rule.minimum && value <= rule.maximum)) {
      throw new OverrideError(key, `must be from ${rule.minimum} to ${rule.maximum}`);
    }
    result[rule.key] = value;
  }
  return result;
}
