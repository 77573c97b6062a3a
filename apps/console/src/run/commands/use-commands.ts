import { useMemo, useState } from "react";
import { type Command, type JobAddress, streams } from "../../api/platform.ts";
import { useEvents } from "../../api/use-events.ts";

/** All commands of a job, the newest first, as they are recorded and decided. */
export function useCommands({ pipeline_id, run_id, job_name }: JobAddress): Command[] {
  const [bySequence, setBySequence] = useState<ReadonlyMap<number, Command>>(new Map());
  useEvents<Command>({
    key: `${run_id} ${job_name}`,
    // From the first one each time: a command that was pending before an interruption may have been decided in it.
    open: (signal) =>
      streams.events(
        "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/stream",
        { path: { pipeline_id, run_id, job_name } },
        signal,
      ),
    onEvent: (command) => setBySequence((before) => new Map(before).set(command.sequence, command)),
  });
  return useMemo(() => [...bySequence.values()].sort((one, other) => other.sequence - one.sequence), [bySequence]);
}
