import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Automation } from "../../api/platform.ts";
import { problemOf } from "../../api/problems.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { usePublishedVersion } from "../queries/use-automations.ts";
import { useStartRun } from "../queries/use-runs-of-automation.ts";
import { inputExample, readInput } from "./input-example.ts";

interface RunDialogProps {
  automation: Automation;
  /** The input of an earlier run; without it an example of what the templates read. */
  input?: Record<string, unknown>;
  onClose: () => void;
}

/** Starts a run of an automation with an input, and goes to it. */
export function RunDialog({ automation, input, onClose }: RunDialogProps) {
  const published = usePublishedVersion(automation);
  return (
    <Dialog
      title={`Run ${automation.name}`}
      description="The published version runs. Its steps act in the name of the member who published it."
      isOpen
      onClose={onClose}
    >
      <QueryView query={published} rows={2}>
        {(entry) => (
          <InputForm
            automationId={automation.id}
            input={input ?? inputExample(entry?.variables ?? [])}
            onClose={onClose}
          />
        )}
      </QueryView>
    </Dialog>
  );
}

interface InputFormProps {
  automationId: string;
  input: Record<string, unknown>;
  onClose: () => void;
}

function InputForm({ automationId, input, onClose }: InputFormProps) {
  const [text, setText] = useState(() => JSON.stringify(input, undefined, 2));
  const navigate = useNavigate();
  const start = useStartRun(automationId);
  const read = readInput(text);
  const submit = () =>
    read &&
    start.mutate(read, {
      onSuccess: ({ id: runId }) => {
        onClose();
        void navigate({ to: "/automations/$automationId/runs/$runId", params: { automationId, runId } });
      },
    });
  return (
    <DialogForm
      submitLabel="Start run"
      forbidden={read ? undefined : "Type a JSON object first."}
      isPending={start.isPending}
      error={start.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Input"
        hint="A JSON object. Templates read it as input."
        value={text}
        onChange={setText}
        error={read ? problemOf(start.error, "input") : "Type a JSON object, such as {}."}
        isLong
      />
    </DialogForm>
  );
}
