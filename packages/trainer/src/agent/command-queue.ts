import type { TrainingControlCommandRead } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import type { CommandDelivery, CommandWithdrawal } from "@aiplatform/contract/aiplatform/training/v1/trainers";

/** A command that waits to be applied. */
export interface WaitingCommand {
  command: TrainingControlCommandRead;
  epoch: number;
  /** The checkpoint to use, resolved by the platform. */
  checkpointId: string | undefined;
  /** Trace of the request that asked for it. */
  traceparent: string | undefined;
}

/** Commands that were delivered and wait for the next step boundary. */
export class CommandQueue {
  readonly #waiting = new Map<number, WaitingCommand>();

  /** Delivered again, a command replaces itself: its checkpoint may be another one now. */
  put({ command, epoch, resolvedCheckpointId: checkpointId, traceparent }: CommandDelivery): void {
    if (command) this.#waiting.set(command.sequence, { command, epoch, checkpointId, traceparent });
  }

  withdraw({ sequence }: CommandWithdrawal): void {
    this.#waiting.delete(sequence);
  }

  /** The command of the lowest sequence, which then is no longer in the queue. */
  take(): WaitingCommand | undefined {
    const lowest = Math.min(...this.#waiting.keys());
    const waiting = this.#waiting.get(lowest);
    this.#waiting.delete(lowest);
    return waiting;
  }
}
