import { useState } from "react";
import { useSession } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { PermissionsField } from "../roles/permissions-field.tsx";
import { useAllRoles } from "../roles/use-roles.ts";
import { endOfDay, lifetimeText } from "./key-state.ts";
import { SecretNotice } from "./secret-notice.tsx";
import { useCreateKey, useKeyPolicy } from "./use-keys.ts";

/** Creates a key, and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateKey();
  return (
    <Dialog
      title={create.data ? `The key ${create.data.api_key.name}` : "New API key"}
      {...(!create.data && {
        description: "For a program. It may do what you choose here, and nothing that you may not do.",
      })}
      isOpen
      onClose={onClose}
      keepsOpen
      size="wide"
    >
      {create.data ? (
        <SecretNotice secret={create.data.secret} onDone={onClose} />
      ) : (
        <KeyForm create={create} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface KeyFormProps {
  create: ReturnType<typeof useCreateKey>;
  onClose: () => void;
}

function KeyForm({ create, onClose }: KeyFormProps) {
  const [name, setName] = useState("");
  const [date, setDate] = useState("");
  const [permissions, setPermissions] = useState<string[]>([]);
  const { data: policy } = useKeyPolicy();
  const longest = policy?.max_lifetime_seconds ?? null;
  const submit = () => {
    const expiry = date === "" ? {} : { expires_at: endOfDay(date) };
    create.mutate({ name: name.trim(), permission_ids: permissions, ...expiry });
  };
  return (
    <DialogForm
      submitLabel="Create key"
      forbidden={permissions.length === 0 ? "Choose at least one permission." : undefined}
      isPending={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="form-grid">
        <TextField label="Name" value={name} onChange={setName} isRequired placeholder="nightly training" />
        <TextField
          label="Last day"
          type="date"
          value={date}
          onChange={setDate}
          hint={
            longest === null
              ? "Empty: it never ends."
              : `Empty: it ends ${lifetimeText(longest)} from now, which is the longest.`
          }
        />
      </div>
      <LikeRole onChoose={setPermissions} />
      <PermissionsField chosen={permissions} onChange={setPermissions} />
    </DialogForm>
  );
}

/** Chooses the permissions of a role, as far as the caller holds them. */
function LikeRole({ onChoose }: { onChoose: (permissions: string[]) => void }) {
  const { data: roles } = useAllRoles();
  const { data: session } = useSession();
  const own = new Set(session?.permission_ids);
  if (!roles) return null;
  return (
    <div className="row">
      <span className="muted">Permissions like the role</span>
      {roles.slice(0, 8).map(({ id, name, permission_ids }) => (
        <Button key={id} size="small" onClick={() => onChoose(permission_ids.filter((each) => own.has(each)))}>
          {name}
        </Button>
      ))}
      <Button size="small" kind="quiet" onClick={() => onChoose([])}>
        None
      </Button>
    </div>
  );
}
