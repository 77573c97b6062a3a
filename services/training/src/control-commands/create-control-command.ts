import type { RecordedCommand } from "../job-log/job-entry.ts";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { DirectoryEntry, JobAddress, JobDirectory } from "../runs/job-directory.ts";
import type { CommandCache } from "./command-cache.ts";
import { commandFacts } from "./command-facts.ts";
import { commandFingerprint, type PauseEnd } from "./command-fingerprint.ts";
import { commandAfter, readCommand } from "./command-view.ts";
import { CommandKeyReusedError, type ControlCommand } from "./control-command.ts";
import { type CommandRequest, judgeCommand } from "./judge-command.ts";

export interface CreateControlCommandDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  cache: CommandCache;
  newId: () => string;
}

export interface NewCommandRequest extends CommandRequest {
  address: JobAddress;
  idempotencyKey: string;
  requestedByMemberId?: string;
  /** Of a pause: when the job goes on by itself. */
  pauseEnd?: PauseEnd;
}

/**
 * Records a command, or returns the one that the idempotency key made before, with its present status.
 * @throws JobNotFoundError
 * @throws CommandKeyReusedError when the key made another command
 */
export async function createControlCommand(
  dependencies: CreateControlCommandDependencies,
  organisationId: string,
  requested: NewCommandRequest,
): Promise<ControlCommand> {
  const { directory, logStore, cache, newId } = dependencies;
  const found = await directory.get(organisationId, requested.address);
  const { proof, ...body } = requested;
  const fingerprint = commandFingerprint({ ...body, ...(proof ? { supervisionId: proof.supervisionId } : {}) });
  const id = newId();
  const command = await cache.getOrRecord(found.reference, requested.idempotencyKey, () =>
    record(dependencies, found, requested, { id, fingerprint }),
  );
  if (command.fingerprint !== fingerprint) throw new CommandKeyReusedError();
  return command.id === id ? commandAfter(command) : readCommand(logStore, found.reference, command);
}

function record(
  { logs, logStore }: CreateControlCommandDependencies,
  { job: declaration, reference }: DirectoryEntry,
  requested: NewCommandRequest,
  minted: { id: string; fingerprint: string },
): Promise<RecordedCommand> {
  const { action, checkpointId, overrides, idempotencyKey, requestedByMemberId, pauseEnd } = requested;
  const wanted = {
    ...minted,
    action,
    ...(checkpointId ? { checkpointId } : {}),
    overrides,
    idempotencyKey,
    ...(requestedByMemberId ? { requestedByMemberId } : {}),
  };
  let earlier: RecordedCommand | undefined;
  return logs.decide<RecordedCommand>(
    reference,
    (job, at) => {
      if (earlier) return { answer: earlier };
      const command = { ...wanted, ...(pauseEnd ? { resumeAt: resumeTimeOf(pauseEnd, at) } : {}) };
      const facts = commandFacts(job, command, judgeCommand(job, declaration, requested, at), at);
      return { draft: { kind: "command", facts }, answer: (_job, entry) => entry.facts.command ?? raise(entry) };
    },
    // The first attempt trusts that the key is new; the index tells when it is not, and then the log is asked.
    async () => {
      const document = await logStore.byIdempotencyKey(reference.organisationId, reference, idempotencyKey);
      earlier = document?.facts.command;
    },
  );
}

function resumeTimeOf({ until, afterMs }: PauseEnd, at: Date): Date {
  return until ?? new Date(at.getTime() + afterMs);
}

function raise(entry: { position: number }): never {
  throw new TypeError(`entry ${entry.position} was written without its command`);
}
