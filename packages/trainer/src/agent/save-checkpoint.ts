import { LifecyclePhase, PhaseStatus } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { Reporter } from "../reports/reporter.ts";
import type { AgentParts } from "./agent-parts.ts";
import { pinnedBy } from "./command-actions.ts";
import { messageOf } from "./message-of.ts";

type Needed = Pick<AgentParts, "workload" | "journal" | "link" | "reporter" | "log">;

/** Saves what is loaded, and moves the position there. A full disk is no reason to lose what is in memory: that is logged. */
export async function saveCheckpoint(parts: Needed, metrics: Readonly<Record<string, number>>): Promise<void> {
  const { workload, journal, link, reporter, log } = parts;
  reporter.phase(LifecyclePhase.CHECKPOINTING, PhaseStatus.RUNNING);
  try {
    const { segment } = journal.state;
    const saved = await workload.save({ segmentIndex: segment, metrics, pinned: pinnedBy(journal.state) });
    // Once the position is written, these steps are not taken again: their points must be safe by then.
    reporter.commit(workload.step);
    reporter.keep();
    await journal.write({ position: { checkpointId: saved.id, restore: "full", overrides: {}, changes: [] } });
    trainingAgain(reporter, LifecyclePhase.CHECKPOINTING);
    await link.registerCheckpoint(saved);
  } catch (error) {
    trainingAgain(reporter, LifecyclePhase.CHECKPOINTING, PhaseStatus.FAILED);
    const line = `no checkpoint at step ${workload.step}: ${messageOf(error)}`;
    reporter.log(line);
    log(line);
  }
}

/** Back from another phase: the phase under way is the one that was entered last. */
export function trainingAgain(reporter: Reporter, from: LifecyclePhase, how = PhaseStatus.COMPLETED): void {
  reporter.phase(from, how);
  reporter.phase(LifecyclePhase.TRAINING, PhaseStatus.RUNNING);
}
