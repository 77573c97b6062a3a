import { answerOf, type components } from "@aiplatform/client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type CommandAction, platform, type Run } from "../api/platform.ts";
import { Button } from "../ui/button.tsx";
import { StateChip } from "../ui/chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Table } from "../ui/table.tsx";

type Outcome = components["schemas"]["JobCommandOutcome"];

interface BulkCommandDialogProps {
  action: CommandAction;
  runs: readonly Run[];
  onClose: () => void;
}

/** Shows what a command would do to each of many runs, sends it, and shows the outcome of each. */
export function BulkCommandDialog({ action, runs, onClose }: BulkCommandDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const queryClient = useQueryClient();
  const body = { action, idempotency_key: key, jobs: runs.map(({ id }) => ({ run_id: id })) };
  const preview = useQuery({
    queryKey: ["bulk-preview", body],
    queryFn: async ({ signal }) =>
      answerOf(await platform.POST("/platform/job-commands", { body: { ...body, dry_run: true }, signal })),
  });
  const send = useMutation({
    mutationFn: async () => answerOf(await platform.POST("/platform/job-commands", { body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["runs"] }),
  });
  const accepted = preview.data?.filter((each) => each.accepted).length ?? 0;
  const verb = `${action[0]?.toUpperCase()}${action.slice(1)}`;
  return (
    <Dialog
      title={`${verb} ${runs.length === 1 ? "1 run" : `${runs.length} runs`}`}
      description="The first job of each run gets the command."
      isOpen
      onClose={onClose}
      size="wide"
    >
      <QueryView query={send.data ? { ...preview, data: send.data } : preview} rows={runs.length}>
        {(outcomes) => <Outcomes outcomes={outcomes} runs={runs} isSent={send.isSuccess} />}
      </QueryView>
      {send.error && <ErrorNotice error={send.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>{send.isSuccess ? "Close" : "Cancel"}</Button>
        {!send.isSuccess && (
          <Button
            kind={action === "abort" ? "danger" : "primary"}
            isPending={send.isPending}
            forbidden={preview.isSuccess && accepted === 0 ? "No run would take it now." : undefined}
            onClick={() => send.mutate()}
          >
            {verb} {accepted}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface OutcomesProps {
  outcomes: readonly Outcome[];
  runs: readonly Run[];
  isSent: boolean;
}

function Outcomes({ outcomes, runs, isSent }: OutcomesProps) {
  const names = new Map(runs.map(({ id, name }) => [id, name]));
  return (
    <Table caption="Outcome for each run" columns={["Run", isSent ? "Outcome" : "Would become"]}>
      {outcomes.map(({ run_id, job_name, accepted, detail, command, preview }) => (
        <tr key={`${run_id} ${job_name}`}>
          <td>{names.get(run_id) ?? run_id}</td>
          <td>
            {accepted ? (
              <StateChip state={command?.status ?? preview?.resulting_state ?? "pending"} />
            ) : (
              <span className="muted">{detail || "not taken"}</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
