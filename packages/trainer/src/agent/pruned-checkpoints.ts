import type { Attached } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { Workload } from "../workload.ts";
import { pinnedBy } from "./command-actions.ts";
import type { JournalState } from "./journal.ts";

/** Checkpoints that the platform has pruned, and whose files are still here. */
export class PrunedCheckpoints {
  readonly #ids = new Set<string>();
  readonly #log: (line: string) => void;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  add(checkpointIds: readonly string[]): void {
    for (const id of checkpointIds) this.#ids.add(id);
  }

  /** Those that were pruned while this process was not attached. */
  addFrom({ checkpoints }: Attached): void {
    this.add(checkpoints.filter(({ prunedAt }) => prunedAt).map(({ id }) => id));
  }

  /**
   * Deletes them, except where training goes on from one: that is deleted once it goes on from another. What the disk does not
   * delete is tried again after the next attachment.
   */
  async discard(workload: Pick<Workload, "discard">, state: Pick<JournalState, "position" | "undo">): Promise<void> {
    if (this.#ids.size === 0) return;
    const pinned = new Set(pinnedBy(state));
    for (const id of this.#ids) {
      if (pinned.has(id)) continue;
      this.#ids.delete(id);
      await workload
        .discard?.(id)
        .catch((error: unknown) => this.#log(`pruned checkpoint ${id} is still here: ${error}`));
    }
  }
}
