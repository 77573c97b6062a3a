import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { TextField } from "../../ui/field.tsx";
import { RolesField } from "../roles/roles-field.tsx";
import { useInvite } from "./use-members.ts";

/** Invites a person by e-mail address. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<readonly string[]>([]);
  const invite = useInvite();
  const navigate = useNavigate();
  const submit = () => {
    invite.mutate(
      { display_name: name.trim(), email: email.trim(), role_ids: [...roles] },
      { onSuccess: ({ id }) => void navigate({ to: "/people/members/$memberId", params: { memberId: id } }) },
    );
  };
  return (
    <Dialog
      title="Invite a member"
      description="The person joins when they first sign in at your identity provider with this e-mail address. The platform sends them no e-mail: tell them yourself."
      isOpen
      onClose={onClose}
      keepsOpen={name !== "" || email !== ""}
    >
      <DialogForm
        submitLabel="Invite"
        isPending={invite.isPending}
        error={invite.error}
        onSubmit={submit}
        onClose={onClose}
      >
        <TextField label="Name" value={name} onChange={setName} isRequired />
        <TextField
          label="E-mail address"
          type="email"
          value={email}
          onChange={setEmail}
          isRequired
          placeholder="ada@example.com"
        />
        <RolesField chosen={roles} onChange={setRoles} />
      </DialogForm>
    </Dialog>
  );
}
