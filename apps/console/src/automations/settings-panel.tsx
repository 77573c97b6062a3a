import { useState } from "react";
import type { AutomationSettings } from "../api/platform.ts";
import { problemOf } from "../api/problems.ts";
import { useForbidden } from "../api/session.ts";
import { useKnownMembers } from "../members/use-known-members.ts";
import { LeaveGuard } from "../shell/leave-guard.tsx";
import { Button } from "../ui/button.tsx";
import { CheckboxField } from "../ui/checkbox-field.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useToast } from "../ui/toasts.tsx";
import { useAutomationSettings, useUpdateSettings } from "./queries/use-automations.ts";
import { changesOf, type SettingsForm, settingsForm } from "./settings-form.ts";

/** How an automation is run. */
export function SettingsPanel({ automationId }: { automationId: string }) {
  const settings = useAutomationSettings(automationId);
  return (
    <Panel title="Settings">
      <QueryView query={settings}>{(data) => <SettingsFields settings={data} />}</QueryView>
    </Panel>
  );
}

function SettingsFields({ settings }: { settings: AutomationSettings }) {
  const [typed, setTyped] = useState<Partial<SettingsForm>>({});
  const form = { ...settingsForm(settings), ...typed };
  const changes = changesOf(typed, settings);
  const isDirty = Object.keys(changes).length > 0;
  const forbidden = useForbidden("automations:write");
  const toast = useToast();
  const update = useUpdateSettings(settings.automation_id);
  const set = (part: Partial<SettingsForm>) => setTyped({ ...typed, ...part });
  const save = () =>
    update.mutate(changes, {
      onSuccess: () => {
        setTyped({});
        toast.good("The settings are saved");
      },
    });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty) save();
      }}
    >
      <CheckboxField
        label="Enabled"
        hint="Nothing runs a disabled automation. Enabling it forgets its failures in a row."
        isChecked={form.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      <div className="form-grid">
        <TextField
          label="Failures in a row until it is disabled"
          hint={`0: never. There are ${settings.failures_in_a_row} so far.`}
          type="number"
          value={form.failures}
          onChange={(failures) => set({ failures })}
          error={problemOf(update.error, "failures_until_disabled")}
        />
        <OwnerField
          value={form.owner}
          onChange={(owner) => set({ owner })}
          error={problemOf(update.error, "owner_member_id")}
        />
      </div>
      <CheckboxField
        label="Tell the owner by an e-mail draft, too"
        hint="When a feature that it uses is deprecated."
        isChecked={form.drafts}
        onChange={(drafts) => set({ drafts })}
      />
      {update.error && <ErrorNotice error={update.error} />}
      <div className="row">
        <Button
          kind="primary"
          type="submit"
          isPending={update.isPending}
          forbidden={forbidden ?? (isDirty ? undefined : "Change a setting first.")}
        >
          Save settings
        </Button>
        {isDirty && <Button onClick={() => setTyped({})}>Discard</Button>}
      </div>
      <LeaveGuard isDirty={isDirty} what="the settings" />
    </form>
  );
}

interface OwnerFieldProps {
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

/** A choice of members, for those who may read them; else the member's id. */
function OwnerField({ value, onChange, error }: OwnerFieldProps) {
  const { data: known } = useKnownMembers();
  const hint = "Is told when a feature that it uses is deprecated.";
  if (!known?.isWhole)
    return (
      <TextField label="Owner" hint={`${hint} The id of a member.`} value={value} onChange={onChange} error={error} />
    );
  const options = [...known.byId.values()]
    .filter(({ id, status }) => status === "active" || id === value)
    .map(({ id, display_name, email }) => ({ value: id, label: display_name || email }));
  const isKnown = options.some((each) => each.value === value);
  // The API gives an owner another one, and takes none away.
  const first = isKnown ? [] : [{ value, label: value === "" ? "No owner" : value }];
  return (
    <SelectField
      label="Owner"
      hint={hint}
      value={value}
      onChange={onChange}
      error={error}
      options={[...first, ...options]}
    />
  );
}
