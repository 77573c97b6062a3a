import { useState } from "react";
import type { Member } from "../../api/platform.ts";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { isUsable } from "../keys/key-state.ts";
import { useKeysOfMember } from "../keys/use-keys.ts";
import { useMemberAction } from "./use-members.ts";

interface ActivationDialogProps {
  member: Member;
  onClose: () => void;
}

/** Takes a member's access away, after it was said which keys end with it. */
export function DeactivateDialog({ member, onClose }: ActivationDialogProps) {
  const [keepsKeys, setKeepsKeys] = useState(false);
  const keys = useKeysOfMember(member.id);
  const action = useMemberAction(member.id);
  const usable = keys.data?.items.filter((key) => isUsable(key, Date.now())) ?? [];
  const count = `${usable.length}${keys.data?.next === undefined ? "" : " or more"}`;
  return (
    <ConfirmDialog
      title={`Deactivate ${member.display_name}`}
      description="They lose access everywhere within a second. Their sessions end. You can reactivate them later."
      confirmLabel="Deactivate"
      isDangerous
      isPending={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate({ kind: "deactivate", keep_api_keys: keepsKeys }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {usable.length > 0 ? (
        <>
          <p>
            {keepsKeys
              ? "These keys that they made go on working: "
              : "These keys that they made are revoked for good: "}
            <strong>{count}</strong> (
            {usable
              .slice(0, 5)
              .map(({ name }) => name)
              .join(", ")}
            {usable.length > 5 ? ", …" : ""}).
          </p>
          <CheckboxField
            label="Keep their API keys"
            hint="For programs that go on."
            isChecked={keepsKeys}
            onChange={setKeepsKeys}
          />
        </>
      ) : (
        <p className="muted">
          {keys.isSuccess ? "They have made no key that still works." : "Keys that they made are revoked for good."}
        </p>
      )}
    </ConfirmDialog>
  );
}

/** Gives a member's access back. */
export function ReactivateDialog({ member, onClose }: ActivationDialogProps) {
  const action = useMemberAction(member.id);
  return (
    <ConfirmDialog
      title={`Reactivate ${member.display_name}`}
      description="They get the access back that their roles grant. Keys that were revoked stay revoked."
      confirmLabel="Reactivate"
      isPending={action.isPending}
      error={action.error}
      onConfirm={() => action.mutate({ kind: "reactivate" }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
