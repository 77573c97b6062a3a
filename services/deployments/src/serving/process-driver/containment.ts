import {
  type Egress,
  type RuntimeCommandOptions,
  readablePaths,
  type Sandbox,
  type SandboxedCommand,
  sandboxedCommand,
} from "@aiplatform/serving-runtime";
import type { RolloutFailure } from "../../rollouts/rollout.ts";
import type { InstanceSet } from "../serving-driver.ts";

/** How the code of handlers is kept from everything else, and what the operator allows without that. */
export interface Containment {
  readonly sandbox: Sandbox;
  /** Whether handlers run where there is no sandbox. */
  readonly trustsCode: boolean;
  /** Whether handlers may ask for the network. Without a sandbox they then reach this machine's services too. */
  readonly network: boolean;
  /** Networks (CIDR) that handlers with the network may reach although they are not public. */
  readonly allowedNetworks: readonly string[];
}

/**
 * MiB that Node counts as data before anything is loaded, and for each thread. A handler that takes more at once than the driver can
 * watch is stopped by the kernel.
 */
const reservedMb = 1_536;

type Version = Pick<InstanceSet, "runtime"> & { readonly runConfig: Pick<InstanceSet["runConfig"], "network"> };

/** Why a version may not run here, or undefined. Only handlers are code of others. */
export function refusalOf(
  { sandbox, trustsCode, network }: Containment,
  { runtime, runConfig }: Version,
): RolloutFailure | undefined {
  if (runtime !== "node") return undefined;
  if (sandbox.kind === "none" && !trustsCode) {
    const remedy = "Deploy a model without a handler, or ask the operator for a sandbox or SERVING_DRIVER=kubernetes";
    return refused(`This machine cannot contain the code of a handler: ${sandbox.reason}. ${remedy}.`);
  }
  if (runConfig.network && !network) {
    return refused("Handlers get no network here: leave serverless_run_config.network out, or set SERVING_NETWORK.");
  }
  return undefined;
}

function refused(message: string): RolloutFailure {
  return { reason: "ResourcesUnavailable", message };
}

interface InstanceCommand {
  readonly host: string;
  readonly options: RuntimeCommandOptions;
  readonly args: readonly string[];
  /** Its way to the network. Absent: none. */
  readonly egress?: Egress | undefined;
}

/** The command of an instance, in the sandbox where there is one. */
export function containedCommand(
  { sandbox }: Pick<Containment, "sandbox">,
  { host, options, args, egress }: InstanceCommand,
): SandboxedCommand {
  const command = { command: process.execPath, args };
  if (sandbox.kind === "none") return command;
  const memory = options.memoryMb + reservedMb;
  return sandboxedCommand(
    sandbox,
    { read: readablePaths(options), listen: host, memory, ...(egress && { egress }) },
    command,
  );
}
