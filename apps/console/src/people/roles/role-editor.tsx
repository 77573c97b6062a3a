import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { Role } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { LeaveGuard } from "../../shell/leave-guard.tsx";
import { useSavedForm } from "../../shell/use-stored-form.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SaveError } from "../../ui/save-error.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { slugOf } from "./permission-areas.ts";
import { PermissionsField } from "./permissions-field.tsx";
import { type RoleForm, useSaveRole } from "./use-roles.ts";

const formOf = (role: Role | undefined): RoleForm => ({
  name: role?.name ?? "",
  slug: role?.slug ?? "",
  permission_ids: role?.permission_ids ?? [],
});

/** Creates a role, or changes one of the organisation's own. */
export function RoleEditor({ stored: role }: { stored: Role | undefined }) {
  const { base, form, setForm, isDirty, take, keep, save } = useSavedForm(role, formOf, useSaveRole);
  const forbidden = useForbidden("roles:manage");
  const toast = useToast();
  const navigate = useNavigate();
  const slug = form.slug === "" ? slugOf(form.name) : form.slug;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { ...form, name: form.name.trim(), slug },
      {
        onSuccess: (saved) => {
          toast.good(`The role ${saved.name} is saved.`);
          if (role) take(saved);
          else void navigate({ to: "/people/roles/$roleId", params: { roleId: saved.id }, ignoreBlocker: true });
        },
      },
    );
  };
  return (
    <Panel title={role ? "What it grants" : "New role"}>
      <form className="stack" onSubmit={submit}>
        <div className="form-grid">
          <TextField label="Name" value={form.name} onChange={(name) => setForm({ ...form, name })} isRequired />
          {!role && (
            <TextField
              label="Slug"
              hint="Its name for programs. It never changes."
              value={slug}
              onChange={(next) => setForm({ ...form, slug: next })}
              isRequired
            />
          )}
        </div>
        <PermissionsField
          chosen={form.permission_ids}
          before={base?.permission_ids ?? []}
          onChange={(permission_ids) => setForm({ ...form, permission_ids })}
        />
        <SaveError error={save.error} onTake={take} onKeep={keep} />
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            isPending={save.isPending}
            forbidden={forbidden ?? (isDirty ? undefined : "There is nothing to save.")}
          >
            {role ? "Save role" : "Create role"}
          </Button>
        </div>
      </form>
      <LeaveGuard isDirty={isDirty} what="the role" />
    </Panel>
  );
}
