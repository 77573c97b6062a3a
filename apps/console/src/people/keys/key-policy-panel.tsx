import { useState } from "react";
import type { ApiKeyPolicy } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { lifetimeText } from "./key-state.ts";
import { useKeyPolicy, useSetKeyPolicy } from "./use-keys.ts";

const day = 86_400;
const choices = [7 * day, 30 * day, 90 * day, 180 * day, 365 * day];

/** How long keys may live. */
export function KeyPolicyPanel() {
  const policy = useKeyPolicy();
  const [isChanging, setIsChanging] = useState(false);
  const forbidden = useForbidden("apikeys:policy");
  return (
    <Panel
      title="Longest life of a key"
      actions={
        <Button size="small" forbidden={forbidden} onClick={() => setIsChanging(true)}>
          Change
        </Button>
      }
    >
      <QueryView query={policy} rows={1}>
        {(data) => (
          <>
            <p>
              {data.max_lifetime_seconds === null
                ? "Keys may live without an end."
                : `A key lives ${lifetimeText(data.max_lifetime_seconds)} at most, from its creation.`}
            </p>
            {isChanging && <PolicyDialog policy={data} onClose={() => setIsChanging(false)} />}
          </>
        )}
      </QueryView>
    </Panel>
  );
}

function PolicyDialog({ policy, onClose }: { policy: ApiKeyPolicy; onClose: () => void }) {
  const before = policy.max_lifetime_seconds;
  const [chosen, setChosen] = useState(before === null ? "" : String(before));
  const set = useSetKeyPolicy();
  const toast = useToast();
  const known = before === null || choices.includes(before) ? choices : [before, ...choices];
  const save = () =>
    set.mutate(
      { max_lifetime_seconds: chosen === "" ? null : Number(chosen) },
      {
        onSuccess: () => {
          toast.good("The longest life of keys is saved.");
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title="Change the longest life of keys"
      description="It holds for keys that are there, too: one that would live longer ends that long after it was made, but not within the next day. Until then its holder can rotate it."
      confirmLabel="Save"
      isPending={set.isPending}
      error={set.error}
      onConfirm={save}
      onClose={onClose}
    >
      <SelectField
        label="Longest life"
        value={chosen}
        onChange={setChosen}
        options={[
          { value: "", label: "without an end" },
          ...known.map((seconds) => ({ value: String(seconds), label: lifetimeText(seconds) })),
        ]}
      />
    </ConfirmDialog>
  );
}
