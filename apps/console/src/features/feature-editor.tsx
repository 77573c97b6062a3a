import type { FormEvent } from "react";
import type { Feature } from "../api/platform.ts";
import { useForbidden } from "../api/session.ts";
import { LeaveGuard } from "../shell/leave-guard.tsx";
import { useSavedForm } from "../shell/use-stored-form.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { SaveError } from "../ui/save-error.tsx";
import { useToast } from "../ui/toasts.tsx";
import { FeatureFields } from "./feature-fields.tsx";
import { type FeatureForm, useSaveFeature } from "./use-features.ts";

const formOf = ({ description, usage_notes, owner_member_id, replacement_key }: Feature): FeatureForm => ({
  description,
  usage_notes,
  owner_member_id,
  replacement_key,
});

/** Changes what a feature says. */
export function FeatureEditor({ feature }: { feature: Feature }) {
  const { base, form, setForm, isDirty, take, keep, save } = useSavedForm(feature, formOf, useSaveFeature);
  const forbidden = useForbidden("features:write");
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form, {
      onSuccess: (saved) => {
        take(saved);
        toast.good(`Version ${saved.version} of ${saved.key} is saved.`);
      },
    });
  };
  return (
    <Panel title="What it says">
      <form className="stack" onSubmit={submit}>
        <FeatureFields form={form} onChange={setForm} />
        <SaveError error={save.error} onTake={take} onKeep={keep} />
        <div className="row">
          <Button
            kind="primary"
            type="submit"
            isPending={save.isPending}
            forbidden={forbidden ?? (isDirty ? undefined : "There is nothing to save.")}
          >
            Save as a new version
          </Button>
          {isDirty && <Button onClick={() => take(base)}>Reset</Button>}
        </div>
      </form>
      <LeaveGuard isDirty={isDirty} what={`the feature ${feature.key}`} />
    </Panel>
  );
}
