import type { Tracer } from "@opentelemetry/api";
import type { RunDatasets } from "../datasets/run-datasets.ts";
import type { PlatformLink } from "../link/platform-link.ts";
import type { Signal } from "../link/signal.ts";
import type { Medium } from "../media/medium.ts";
import type { ReportSender } from "../reports/report-sender.ts";
import type { Reporter } from "../reports/reporter.ts";
import type { PublishedArtifact, Workload } from "../workload.ts";
import type { CommandQueue } from "./command-queue.ts";
import type { Journal } from "./journal.ts";
import type { Pace } from "./pace.ts";
import type { PrunedCheckpoints } from "./pruned-checkpoints.ts";

/** What the agent of a trainer works with. */
export interface AgentParts {
  workload: Workload;
  /** Shows something beside numbers at the step under way. */
  show: (medium: Medium) => void;
  /** Publishes a checkpoint as the result, and stores that. */
  publish: (checkpointId: string) => Promise<PublishedArtifact>;
  journal: Journal;
  /** The data that the run reads. */
  datasets: RunDatasets;
  link: PlatformLink;
  queue: CommandQueue;
  pruned: PrunedCheckpoints;
  reporter: Reporter;
  sender: ReportSender;
  pace: Pace;
  /** Called when a command came or the connection changed. */
  changed: Signal;
  /** Tells at once what the process uses; otherwise that is told every few seconds. */
  beat: () => void;
  /** Lines for the operator. */
  log: (line: string) => void;
  /** Makes the spans of commands. */
  tracer: Tracer | undefined;
}
