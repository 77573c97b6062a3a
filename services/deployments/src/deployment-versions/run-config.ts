import type { FieldViolation } from "@aiplatform/service-host";

export interface RunConfig {
  /** The minimum of instances; 0 lets it fall to none. */
  minInstances: number;
  maxInstances: number;
  /** After how long without a prediction instances above the minimum end, seconds; 0: never. */
  idleSeconds: number;
  /** Predictions of one instance at a time. */
  concurrency: number;
  /** Longest time of a prediction. */
  timeoutSeconds: number;
  memoryMb: number;
  /** Whether a handler may open connections. */
  network: boolean;
}

export const defaultRunConfig: RunConfig = {
  minInstances: 1,
  maxInstances: 1,
  idleSeconds: 0,
  concurrency: 16,
  timeoutSeconds: 30,
  memoryMb: 512,
  network: false,
};

type NumberField = Exclude<keyof RunConfig, "network">;

/** The numbers of `serverless_run_config`: key, minimum and maximum. */
const numbers: Readonly<Record<NumberField, readonly [key: string, min: number, max: number]>> = {
  minInstances: ["min_instances", 0, 16],
  maxInstances: ["max_instances", 1, 16],
  idleSeconds: ["idle_seconds", 0, 86_400],
  concurrency: ["concurrency", 1, 1_000],
  timeoutSeconds: ["timeout_seconds", 1, 600],
  memoryMb: ["memory_mb", 64, 16_384],
};
const numberFields = Object.keys(numbers).filter((field): field is NumberField => field in numbers);

const networkNotAllowed =
  "Value error, handlers get no network on this installation: leave it out, or ask its operator for SERVING_NETWORK";
const fieldName = "serverless_run_config";

/**
 * What a run configuration says, and what is wrong with it. Keys that mean nothing to us are left alone. `mayConnect`: whether
 * handlers may ask for the network.
 */
export function readRunConfig(
  text: string,
  { mayConnect }: { mayConnect: boolean },
): { config: RunConfig; violations: FieldViolation[] } {
  const given: Readonly<Record<string, unknown>> = JSON.parse(text === "" ? "{}" : text);
  const config = { ...defaultRunConfig };
  const violations: FieldViolation[] = [];
  const refuse = (key: string, reason: string, description: string) =>
    violations.push({ field: `${fieldName}.${key}`, reason, description });
  for (const field of numberFields) {
    const [key, min, max] = numbers[field];
    const value = own(given, key);
    if (value === undefined || value === null) continue;
    if (typeof value !== "number" || !Number.isInteger(value))
      refuse(key, "INT_TYPE", "Input should be a valid integer");
    else if (value < min) refuse(key, "GREATER_THAN_EQUAL", `Input should be greater than or equal to ${min}`);
    else if (value > max) refuse(key, "LESS_THAN_EQUAL", `Input should be less than or equal to ${max}`);
    else config[field] = value;
  }
  const network = own(given, "network") ?? config.network;
  if (typeof network !== "boolean") refuse("network", "BOOL_TYPE", "Input should be a valid boolean");
  else if (network && !mayConnect) refuse("network", "NETWORK_NOT_ALLOWED", networkNotAllowed);
  else config.network = network;
  if (own(given, "max_instances") === undefined)
    config.maxInstances = Math.max(config.maxInstances, config.minInstances);
  if (violations.length === 0 && config.minInstances > config.maxInstances) {
    refuse("max_instances", "GREATER_THAN_EQUAL", `Input should be greater than or equal to ${config.minInstances}`);
  }
  return { config, violations };
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
