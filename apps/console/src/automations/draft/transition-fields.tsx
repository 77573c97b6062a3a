import { Plus, Trash2 } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import type { DraftForm, DraftProblems, TransitionForm } from "./draft-form.ts";

interface TransitionFieldsProps {
  form: DraftForm;
  problems: DraftProblems;
  onChange: (form: DraftForm) => void;
}

/** What follows each step. */
export function TransitionFields({ form, problems, onChange }: TransitionFieldsProps) {
  const { steps, transitions } = form;
  const change = (next: readonly TransitionForm[]) => onChange({ ...form, transitions: next });
  const add = () => {
    const source = steps.at(-2)?.key ?? "";
    const target = steps.at(-1)?.key ?? "";
    change([...transitions, { id: crypto.randomUUID(), source, target, label: "completed" }]);
  };
  return (
    <Panel title="Transitions" isFlush>
      {transitions.length === 0 && (
        <Empty title="No transitions">
          <p>A run begins with the first step, and ends after it.</p>
        </Empty>
      )}
      <ul>
        {transitions.map((each, index) => (
          <li key={each.id} className="draft-transition">
            <TransitionRow
              transition={each}
              index={index}
              keys={steps.map(({ key }) => key)}
              problems={problems}
              onChange={(part) => change(transitions.map((old) => (old.id === each.id ? { ...old, ...part } : old)))}
              onRemove={() => change(transitions.filter(({ id }) => id !== each.id))}
            />
          </li>
        ))}
      </ul>
      <div className="row padded">
        <Button
          forbidden={steps.length < 2 ? "A transition leads from one step to another. Add a step first." : undefined}
          onClick={add}
        >
          <Plus size={15} aria-hidden="true" />
          Add transition
        </Button>
      </div>
    </Panel>
  );
}

interface TransitionRowProps {
  transition: TransitionForm;
  index: number;
  /** Of the steps. */
  keys: readonly string[];
  problems: DraftProblems;
  onChange: (part: Partial<TransitionForm>) => void;
  onRemove: () => void;
}

function TransitionRow({ transition, index, keys, problems, onChange, onRemove }: TransitionRowProps) {
  const { source, target, label } = transition;
  const at = (field: string) => problems.get(`step_transitions.${index}.${field}`);
  return (
    <>
      <SelectField
        label="From"
        value={source}
        onChange={(value) => onChange({ source: value })}
        options={optionsOf(keys, source)}
        error={at("source")}
      />
      <TextField
        label="When it ends with"
        value={label}
        onChange={(value) => onChange({ label: value })}
        error={at("label")}
      />
      <SelectField
        label="To"
        value={target}
        onChange={(value) => onChange({ target: value })}
        options={optionsOf(keys, target)}
        error={at("target")}
      />
      <Button kind="quiet" label={`Remove the transition from ${source} to ${target}`} onClick={onRemove}>
        <Trash2 size={14} aria-hidden="true" />
      </Button>
    </>
  );
}

/** The keys of the steps, and the chosen one where no step has it. */
function optionsOf(keys: readonly string[], chosen: string) {
  const all = new Set([...keys, chosen]);
  return [...all].map((key) => ({ value: key, label: key || "–" }));
}
