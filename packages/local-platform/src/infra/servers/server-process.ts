import { ProcessStartError, type SupervisedCommand, SupervisedProcess } from "../processes/supervised-process.ts";
import { endCause } from "./end-cause.ts";
import { InfraError, type InfraName } from "./infra-error.ts";

/** A server as a process: where it answers, and what keeps it running. */
export interface ServerProcess {
  uri: string;
  process: SupervisedProcess;
}

/** How a server is started on a port: data in its directory is used again. */
export type PrepareServer = (port: number) => Promise<ServerProcess>;

/** Keeps a server running, and says why it ended. */
export function superviseServer(command: Omit<SupervisedCommand, "explain">): SupervisedProcess {
  return new SupervisedProcess({ ...command, explain: endCause });
}

/** Starts it and waits until it is ready. @throws InfraError that says in one sentence why it does not start */
export async function startServer(server: InfraName, { process }: ServerProcess, signal?: AbortSignal): Promise<void> {
  try {
    await process.start(signal);
  } catch (cause) {
    if (!(cause instanceof ProcessStartError)) throw cause;
    const why = process.explanation ?? "it does not say why";
    throw new InfraError(server, `${cause.process} ${cause.why}: ${why} (log: ${cause.logFile}).`, { cause });
  }
}
