import { useState } from "react";
import type { ApiKey } from "../../api/platform.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Time } from "../../ui/time.tsx";
import { SecretNotice } from "./secret-notice.tsx";
import { useRevokeKey, useRotateKey } from "./use-keys.ts";

const overlaps = [
  { value: "0", label: "not at all" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "1 week" },
] as const;

interface KeyDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Makes a key that takes over, and shows it once. */
export function RotateKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const [overlap, setOverlap] = useState("86400");
  const rotate = useRotateKey(apiKey.id);
  if (rotate.data)
    return (
      <Dialog title={`New key for ${apiKey.name}`} isOpen onClose={onClose} keepsOpen>
        <SecretNotice secret={rotate.data.secret} onDone={onClose} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={`Rotate ${apiKey.name}`}
      description="A new key gets the same name, permissions and end. Put it into the program before the old one ends."
      confirmLabel="Rotate"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate(Number(overlap))}
      onClose={onClose}
    >
      <SelectField label="The old key works on for" value={overlap} onChange={setOverlap} options={overlaps} />
    </ConfirmDialog>
  );
}

/** Ends a key for good, after it was said when it was last used. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const revoke = useRevokeKey(apiKey.id);
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}`}
      description="Programs that use it are refused within a second, and sessions that were opened with it end. It does not come back."
      confirmLabel="Revoke key"
      isDangerous
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {apiKey.last_used_at === null ? (
          "It was never used."
        ) : (
          <>
            Last used: <Time at={apiKey.last_used_at} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}
