import { ProcessStartError, type SupervisedCommand, SupervisedProcess } from "../processes/supervised-process.ts";
import { endCause } from "./end-cause.ts";
import { PartError, type PartName } from "./part-error.ts";

/** A part as a process: where it answers, and what keeps it running. */
export interface PartProcess {
  uri: string;
  process: SupervisedProcess;
}

/** How a part is started on a port: data in its directory is used again. */
export type PreparePart = (port: number) => Promise<PartProcess>;

/** Keeps a part running, and says why it ended. */
export function supervisePart(command: Omit<SupervisedCommand, "explain">): SupervisedProcess {
  return new SupervisedProcess({ ...command, explain: endCause });
}

/** Starts it and waits until it is ready. @throws PartError that says in one sentence why it does not start */
export async function startPart(part: PartName, { process }: PartProcess, signal?: AbortSignal): Promise<void> {
  try {
    await process.start(signal);
  } catch (cause) {
    if (!(cause instanceof ProcessStartError)) throw cause;
    const why = process.explanation ?? "it does not say why";
    throw new PartError(part, `${cause.process} ${cause.why}: ${why} (log: ${cause.logFile}).`, { cause });
  }
}
