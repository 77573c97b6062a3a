import type { RolloutFailure } from "../../rollouts/situation.ts";

/** How a process ended, and what is known of why. */
export interface LifeEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What we ended it for; undefined when it ended by itself. */
  endedFor: RolloutFailure | undefined;
  wasReady: boolean;
  /** Whether it says that its heap is full. */
  isHeapFull: boolean;
  lastLine: string | undefined;
  memoryMb: number;
}

/** What its end means to the caller that deployed the version. */
export function failureOfEnd(end: LifeEnd): RolloutFailure {
  const { code, signal, endedFor, wasReady, isHeapFull, lastLine, memoryMb } = end;
  if (endedFor) return endedFor;
  if (isHeapFull) return tooMuchMemory(memoryMb);
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  const said = lastLine === undefined ? "." : `: ${lastLine}`;
  return wasReady
    ? { reason: "HealthCheckFailed", message: `The instance ${how}, and is started again${said}` }
    : { reason: "ModelLoadFailed", message: `The instance ${how} before it was ready${said}` };
}

/** It took more than it may. */
export function tooMuchMemory(memoryMb: number): RolloutFailure {
  return {
    reason: "ResourcesUnavailable",
    message: `The instance took more memory than the ${memoryMb} MiB of memory_mb, and was ended.`,
  };
}
