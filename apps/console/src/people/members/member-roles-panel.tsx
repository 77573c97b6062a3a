import type { Member } from "../../api/platform.ts";
import { useForbidden, useSession } from "../../api/session.ts";
import { LeaveGuard } from "../../shell/leave-guard.tsx";
import { useSavedForm } from "../../shell/use-stored-form.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SaveError } from "../../ui/save-error.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { RolesField } from "../roles/roles-field.tsx";
import { useSetRoles } from "./use-members.ts";

const formOf = (ids: readonly string[]): readonly string[] => ids;

/** The roles of a member, to be changed. */
export function MemberRolesPanel({ member }: { member: Member }) {
  const useSave = (base: readonly string[]) => useSetRoles(member.id, base);
  const { form, setForm, isDirty, take, keep, save } = useSavedForm(member.role_ids, formOf, useSave);
  const { data: session } = useSession();
  const membersForbidden = useForbidden("members:manage");
  const rolesForbidden = useForbidden("roles:manage");
  const toast = useToast();
  const onSuccess = ({ role_ids, display_name }: Member) => {
    take(role_ids);
    toast.good(`The roles of ${display_name} are saved.`);
  };
  const nothing = isDirty ? undefined : "There is nothing to save.";
  return (
    <Panel title="Roles">
      <div className="stack">
        <RolesField chosen={form} onChange={setForm} />
        {isDirty && session?.member?.id === member.id && (
          <p className="muted">
            These are your own roles. What you take from yourself, another administrator has to give back.
          </p>
        )}
        <SaveError error={save.error} onTake={take} onKeep={keep} />
        <div className="row">
          <Button
            kind="primary"
            isPending={save.isPending}
            forbidden={membersForbidden ?? rolesForbidden ?? nothing}
            onClick={() => save.mutate([...form], { onSuccess })}
          >
            Save roles
          </Button>
          {isDirty && <Button onClick={() => take(member.role_ids)}>Reset</Button>}
        </div>
      </div>
      <LeaveGuard isDirty={isDirty} what={`the roles of ${member.display_name}`} />
    </Panel>
  );
}
