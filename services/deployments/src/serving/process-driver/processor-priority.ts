import { setPriority } from "node:os";

/** Where processors are scarce, a process of this niceness gets a third of the time of one of the services. */
export const instanceNiceness = 5;

/** Has a process, and what it starts, step behind the services of this machine. */
export function stepBehind(pid: number): void {
  try {
    setPriority(pid, instanceNiceness);
  } catch {
    // It is gone.
  }
}
