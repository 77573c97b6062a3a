import { join } from "node:path";
import type { Transport } from "@connectrpc/connect";
import type { Tracer } from "@opentelemetry/api";
import { DatasetFiles, type DownloadDataset } from "../dataset-files/dataset-files.ts";
import { RunDatasets } from "../datasets/run-datasets.ts";
import { type LinkEvents, PlatformLink } from "../link/platform-link.ts";
import { Signal } from "../link/signal.ts";
import { digestsOf, MediaFiles } from "../media/media-files.ts";
import type { Medium } from "../media/medium.ts";
import { reportedOf } from "../media/showing.ts";
import { ReportSender } from "../reports/report-sender.ts";
import { ReportSpool } from "../reports/report-spool.ts";
import { Reporter } from "../reports/reporter.ts";
import type { PublishedArtifact, Workload } from "../workload.ts";
import { CommandQueue } from "./command-queue.ts";
import { claimDirectory } from "./data-directory.ts";
import { Journal } from "./journal.ts";
import { Pace } from "./pace.ts";
import { PrunedCheckpoints } from "./pruned-checkpoints.ts";
import { ResourceMeter } from "./resource-meter.ts";
import { TrainerAgent } from "./trainer-agent.ts";

export interface TrainerOptions {
  /** To the training service, or to the gateway: {@link connectOverHttps}. */
  transport: Transport;
  apiKey: string;
  runId: string;
  jobName: string;
  /** Journal, spool and whatever the workload keeps; one directory a job. */
  directory: string;
  /** Bounds the pace; 0: as fast as it goes. */
  stepsPerSecond: number;
  /** Milliseconds between signs of life. Default 2,000. */
  heartbeatMs?: number;
  /**
   * Stores the result where others find it. A RefusedError fails the command or the job, any other error is tried again. Default: it stays
   * where the workload has published it.
   */
  store?: (artifact: PublishedArtifact, signal: AbortSignal) => Promise<PublishedArtifact>;
  /** Where files of datasets are kept. Trainers may share it. Default: `.aiplatform/datasets` in the working directory of the process. */
  datasetDirectory?: string;
  /** Downloads the data of the run. Without it, the trainer reads files that are in `datasetDirectory`, and fails for others. */
  download?: DownloadDataset;
  /** Lines for the operator. */
  log: (line: string) => void;
  /** Makes the spans of commands; default: there are none. */
  tracer?: Tracer;
}

/** A trainer at work. */
export interface RunningTrainer extends AsyncDisposable {
  /** Resolves when it will do nothing more: the job has ended, another process took it over, or it was stopped. */
  done: Promise<"ended" | "detached" | "stopped">;
  /** Saves, tells the platform what can be told within two seconds, and stops. */
  stop(): Promise<void>;
}

/**
 * Attaches a workload to its job and drives it until the job ends. What was going on in the directory goes on.
 * @throws JournalError, DirectoryInUseError
 */
export async function runTrainer(options: TrainerOptions, workload: Workload): Promise<RunningTrainer> {
  const claim = await claimDirectory(options.directory);
  const journal = await openJournal(options).catch(async (error: unknown) => {
    await claim.release();
    throw error;
  });
  const downloads = new AbortController();
  const { agent, link, sender, reporter, beat } = assemble(options, workload, { journal, downloads });
  beat();
  const pulse = setInterval(beat, options.heartbeatMs ?? 2_000);
  const streams = Promise.all([link.run(), sender.run()]);
  const done = agent.run().finally(async () => {
    clearInterval(pulse);
    await sender.flush(1_000);
    link.close();
    await streams;
    reporter.cut();
    await claim.release();
  });
  const stop = async () => {
    agent.stop();
    downloads.abort();
    await done;
  };
  return { done, stop, [Symbol.asyncDispose]: stop };
}

async function openJournal({ directory, runId, jobName }: TrainerOptions): Promise<Journal> {
  const journal = await Journal.open(directory, { runId, jobName });
  // The attachment id has to be known to a process that comes after this one, whatever happens to it.
  await journal.write({});
  return journal;
}

/** The data of the run, as far as the journal knows it. */
function datasetsOf(
  { runId, datasetDirectory = join(".aiplatform", "datasets"), download, log }: TrainerOptions,
  journal: Journal,
  stopped: AbortSignal,
): RunDatasets {
  const { attachmentId } = journal.state;
  const files = { runId, directory: datasetDirectory, attachmentId, download, stopped, log };
  return new RunDatasets(new DatasetFiles(files), () => journal.state.datasets);
}

/** The parts of a trainer, which know each other. */
function assemble(
  options: TrainerOptions,
  workload: Workload,
  { journal, downloads }: { journal: Journal; downloads: AbortController },
) {
  const { transport, apiKey, runId, jobName, log, tracer } = options;
  const identity = { runId, jobName, attachmentId: journal.state.attachmentId };
  const queue = new CommandQueue();
  const pruned = new PrunedCheckpoints(log);
  const changed = new Signal();
  const spool = new ReportSpool(join(options.directory, "reports"));
  const reporter = new Reporter({ spool, identity, clock: Date.now, segment: journal.state.segment });
  const put =
    <T>(handle: (value: T) => void) =>
    (value: T) => {
      handle(value);
      changed.notify();
    };
  const events: LinkEvents = {
    attached: (attached) => agent.attached(attached),
    command: put(queue.put.bind(queue)),
    withdrawal: put(queue.withdraw.bind(queue)),
    detached: () => {
      agent.detached();
      downloads.abort();
    },
    pruned: put(pruned.add.bind(pruned)),
    log,
  };
  const lastCommand = () => {
    const { lastSequence, lastCommandId } = journal.state;
    return { lastSequence, ...(lastCommandId === undefined ? {} : { lastCommandId }) };
  };
  const link = new PlatformLink({ transport, apiKey, address: identity, lastCommand, events });
  const files = new MediaFiles(join(options.directory, "media"), digestsOf(spool.media()));
  const { store } = options;
  const sender = new ReportSender({ link, spool, reporter, files, store });
  const show = (medium: Medium) => {
    const shown = reportedOf(medium, store && files, log);
    if (shown) reporter.show(shown);
  };
  const pace = new Pace(options.stepsPerSecond);
  const publish = async (checkpointId: string) => {
    const artifact = await workload.publish(checkpointId);
    return options.store ? options.store(artifact, link.closed) : artifact;
  };
  const datasets = datasetsOf(options, journal, downloads.signal);
  const own = { workload, datasets, journal, queue, pruned, pace, changed, log, tracer };
  const parts = { ...own, show, publish, link, reporter, sender };
  const meter = new ResourceMeter();
  const beat = () => reporter.heartbeat(agent.heartbeatSource, { ...meter.sample(), devices: [...workload.devices] });
  const agent = new TrainerAgent({ ...parts, beat });
  return { agent, link, sender, reporter, beat };
}
