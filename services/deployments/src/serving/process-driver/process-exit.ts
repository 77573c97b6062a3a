import type { MemoryEnd } from "@aiplatform/serving-runtime";
import type { RolloutFailure } from "../../rollouts/rollout.ts";

/** How a process ended, and what is known of why. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What we killed it for; undefined when it ended by itself. */
  killedFor: RolloutFailure | undefined;
  wasReady: boolean;
  /** Whether it says that it got no more memory. */
  isMemoryFull: boolean;
  /** What the kernel says that it ended it for; undefined where it did not, or does not say. */
  memoryEnd?: MemoryEnd | undefined;
  lastLine: string | undefined;
  memoryMb: number;
}

/** What the exit means to the caller that deployed the version. */
export function failureOfExit(exit: ProcessExit): RolloutFailure {
  const { code, signal, killedFor, wasReady, isMemoryFull, memoryEnd, lastLine, memoryMb } = exit;
  if (memoryEnd === "limit") return tooMuchMemory(memoryMb);
  if (killedFor) return killedFor;
  if (memoryEnd === "machine") return machineMemoryFull;
  if (isMemoryFull) return tooMuchMemory(memoryMb);
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  const said = lastLine === undefined ? "." : `: ${lastLine}`;
  return wasReady
    ? { reason: "HealthCheckFailed", message: `The instance ${how}, and is started again${said}` }
    : { reason: "ModelLoadFailed", message: `The instance ${how} before it was ready${said}` };
}

const machineMemoryFull: RolloutFailure = {
  reason: "ResourcesUnavailable",
  message: "The machine or the service had no memory left, and the kernel ended the instance.",
};

export function tooMuchMemory(memoryMb: number): RolloutFailure {
  return {
    reason: "ResourcesUnavailable",
    message: `The instance took more memory than the ${memoryMb} MiB of memory_mb, and was ended.`,
  };
}
