import { ExternalLink as LeaveIcon } from "lucide-react";
import { useState } from "react";
import type { ExternalLink } from "../../api/platform.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { useStartLink } from "./use-accounts.ts";

interface LinkDialogProps {
  /** The link that gets new tokens; undefined: a new one. */
  again: ExternalLink | undefined;
  onClose: () => void;
}

/** Begins to link an account, and leads to the page where people go on. */
export function LinkDialog({ again, onClose }: LinkDialogProps) {
  const start = useStartLink();
  return (
    <Dialog
      title={again ? `Link ${again.secret_name} again` : "Link an account"}
      description={
        start.data
          ? `Open the page within 15 minutes. It says what is linked, and leads on to ${start.data.provider}.`
          : "You sign in at the provider and agree there. The platform keeps the tokens."
      }
      isOpen
      onClose={onClose}
    >
      {start.data ? (
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <a
            className="button"
            data-kind="primary"
            href={start.data.authorization_url}
            target="_blank"
            rel="noopener noreferrer"
            onClick={onClose}
          >
            <LeaveIcon size={15} aria-hidden="true" />
            Go on
          </a>
        </div>
      ) : (
        <LinkForm again={again} start={start} onClose={onClose} />
      )}
    </Dialog>
  );
}

function LinkForm({ again, start, onClose }: LinkDialogProps & { start: ReturnType<typeof useStartLink> }) {
  const [provider, setProvider] = useState(again?.provider ?? "socialnet");
  const [name, setName] = useState(again?.secret_name ?? "");
  const [description, setDescription] = useState(again?.secret_description ?? "");
  const submit = () => {
    const relink = again?.status === "linked";
    start.mutate({ provider: provider.trim(), secret_name: name.trim(), secret_description: description, relink });
  };
  return (
    <DialogForm submitLabel="Start" isPending={start.isPending} error={start.error} onSubmit={submit} onClose={onClose}>
      {!again && (
        <>
          <TextField
            label="Provider"
            hint="As your operator has named it."
            value={provider}
            onChange={setProvider}
            isRequired
          />
          <TextField
            label="Name"
            hint="Unique in the organisation. Automations use the account by it."
            value={name}
            onChange={setName}
            isRequired
            placeholder="news"
          />
        </>
      )}
      <TextField label="What it is for" value={description} onChange={setDescription} />
    </DialogForm>
  );
}
