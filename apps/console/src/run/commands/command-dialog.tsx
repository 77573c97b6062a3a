import { useState } from "react";
import type { Job, JobAddress } from "../../api/platform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { CheckpointField } from "./checkpoint-field.tsx";
import { CommandPreviewNotice } from "./command-preview-notice.tsx";
import type { CommandRule } from "./command-rules.ts";
import type { OwnLease } from "./lease-token.ts";
import { OverrideFields, readOverrides } from "./override-fields.tsx";
import { usePreview, useSendCommand } from "./use-send-command.ts";

interface CommandDialogProps {
  address: JobAddress;
  job: Job;
  rule: CommandRule;
  lease: OwnLease | undefined;
  onClose: () => void;
}

/** Shows what a command would lead to, takes its checkpoint and its settings, and sends it. Its key is made once: a second click has no second effect. */
export function CommandDialog({ address, job, rule, lease, onClose }: CommandDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [checkpoint, setCheckpoint] = useState("");
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const toast = useToast();
  const declarations = (job.job?.overrides ?? []).filter((each) => rule.overrides.includes(each.class));
  const { values, problems } = readOverrides(declarations, texts);
  const body = {
    action: rule.action,
    ...(checkpoint !== "" && { checkpoint_id: checkpoint }),
    ...(Object.keys(values).length > 0 && { runtime_overrides: values }),
    ...lease,
  };
  const isValid = Object.keys(problems).length === 0;
  const preview = usePreview(address, body, isValid);
  const send = useSendCommand(address);
  const confirm = () =>
    send.mutate(
      { ...body, idempotency_key: key },
      {
        onSuccess: ({ status, detail }) => {
          if (status === "rejected") toast.bad(`${rule.label} was rejected: ${detail}`);
          onClose();
        },
      },
    );
  const rejection = preview.data?.accepted === false ? "The platform would reject it." : undefined;
  const forbidden = isValid ? rejection : "Correct the settings first.";
  return (
    <Dialog title={rule.label} description={rule.effect} isOpen onClose={onClose}>
      {rule.checkpoint !== undefined && (
        <CheckpointField address={address} value={checkpoint} onChange={setCheckpoint} fallback={rule.checkpoint} />
      )}
      <OverrideFields declarations={declarations} texts={texts} problems={problems} onChange={setTexts} />
      <CommandPreviewNotice preview={preview} />
      {send.error && <ErrorNotice error={send.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind={rule.isFinal ? "danger" : "primary"}
          isPending={send.isPending}
          forbidden={forbidden}
          onClick={confirm}
        >
          {rule.label}
        </Button>
      </div>
    </Dialog>
  );
}
