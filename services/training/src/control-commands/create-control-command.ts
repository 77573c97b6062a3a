import { IdempotencyKeyReusedError, NotFoundError } from "../errors.ts";
import type { JobAddress, JobDirectory } from "../jobs/job-directory.ts";
import type { JobLogStore } from "../jobs/job-log-store.ts";
import type { JobLogs } from "../jobs/job-logs.ts";
import type { LeaseProof } from "../supervision-leases/lease-standing.ts";
import { commandFacts } from "./command-facts.ts";
import { commandFingerprint } from "./command-fingerprint.ts";
import type { CommandMemory } from "./command-memory.ts";
import { commandAfter, readCommand } from "./command-view.ts";
import type { Action, ControlCommand, RecordedCommand } from "./control-command.ts";
import { judgeCommand } from "./judge-command.ts";

/** What recording a command needs. */
export interface CreateControlCommandDependencies {
  directory: JobDirectory;
  logs: JobLogs;
  logStore: JobLogStore;
  memory: CommandMemory;
  newId: () => string;
}

/** A command as requested, known to be well formed. */
export interface RequestedCommand {
  address: JobAddress;
  action: Action;
  checkpointId?: string;
  /** JSON text of an object. */
  overrides: string;
  idempotencyKey: string;
  proof?: LeaseProof;
  requestedByMemberId?: string;
  mayOverride: boolean;
}

/**
 * Records a command, or answers the one that the idempotency key made before, as it stands.
 * Throws NotFoundError, and IdempotencyKeyReusedError when the key made another command.
 */
export async function createControlCommand(
  dependencies: CreateControlCommandDependencies,
  organisationId: string,
  requested: RequestedCommand,
): Promise<ControlCommand> {
  const { directory, logStore, memory, newId } = dependencies;
  const found = await directory.find(organisationId, requested.address);
  if (!found) throw new NotFoundError();
  const { proof, ...body } = requested;
  const fingerprint = commandFingerprint({ ...body, ...(proof ? { supervisionId: proof.supervisionId } : {}) });
  const id = newId();
  const command = await memory.once(found.reference, requested.idempotencyKey, () =>
    record(dependencies, found, requested, { id, fingerprint }),
  );
  if (command.fingerprint !== fingerprint) throw new IdempotencyKeyReusedError();
  return command.id === id ? commandAfter(command) : readCommand(logStore, found.reference, command);
}

type Found = NonNullable<Awaited<ReturnType<JobDirectory["find"]>>>;

function record(
  { logs, logStore }: CreateControlCommandDependencies,
  { job: declaration, reference }: Found,
  requested: RequestedCommand,
  minted: { id: string; fingerprint: string },
): Promise<RecordedCommand> {
  const { action, checkpointId, overrides, idempotencyKey, requestedByMemberId } = requested;
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
      const facts = commandFacts(job, wanted, judgeCommand(job, declaration, requested, at), at);
      return { draft: { kind: "command", facts }, answer: (_job, entry) => entry.facts.command ?? raise(entry) };
    },
    // The first attempt trusts that the key is new; the index tells when it is not, and then the log is asked.
    async () => {
      const document = await logStore.byIdempotencyKey(reference.organisationId, reference, idempotencyKey);
      earlier = document?.facts.command;
    },
  );
}

function raise(entry: { position: number }): never {
  throw new TypeError(`entry ${entry.position} was written without its command`);
}
