import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { StepGraphView } from "../graph/step-graph-view.tsx";
import { type DraftForm, type DraftProblems, graphOfForm, newStep, type StepForm, stepTypes } from "./draft-form.ts";
import { TransitionFields } from "./transition-fields.tsx";
import { TriggerFields } from "./trigger-fields.tsx";

interface DraftFieldsProps {
  form: DraftForm;
  problems: DraftProblems;
  onChange: (form: DraftForm) => void;
}

/** The fields of a draft, beside the graph that they make. */
export function DraftFields({ form, problems, onChange }: DraftFieldsProps) {
  // Typing does not wait for the graph.
  const drawn = useDeferredValue(form);
  const graph = useMemo(() => graphOfForm(drawn), [drawn]);
  const [chosen, setChosen] = useState<string>();
  const select = (id: string) => {
    setChosen(id);
    document.getElementById(`step-${id}`)?.scrollIntoView({ block: "center" });
    document.getElementById(`step-${id}`)?.focus({ preventScroll: true });
  };
  return (
    <div className="automation-columns">
      <div className="stack">
        <StepsPanel form={form} problems={problems} onChange={onChange} />
        <TransitionFields form={form} problems={problems} onChange={onChange} />
        <TriggerFields form={form} problems={problems} onChange={onChange} />
      </div>
      <Panel title="As a graph" isFlush>
        {form.steps.length === 0 ? (
          <Empty title="No steps" />
        ) : (
          <StepGraphView steps={graph.steps} edges={graph.edges} selectedId={chosen} onSelect={select} />
        )}
      </Panel>
    </div>
  );
}

function StepsPanel({ form, problems, onChange }: DraftFieldsProps) {
  const [type, setType] = useState("prompt");
  const add = () => onChange({ ...form, steps: [...form.steps, newStep(type, form.steps, crypto.randomUUID())] });
  return (
    <Panel title="Steps" isFlush>
      <ol>
        {form.steps.map((step, index) => (
          <li key={step.id} id={`step-${step.id}`} tabIndex={-1} className="draft-step">
            <StepFields form={form} index={index} step={step} problems={problems} onChange={onChange} />
          </li>
        ))}
      </ol>
      <div className="row padded">
        <SelectField
          label="Type of a new step"
          value={type}
          onChange={setType}
          options={stepTypes.map((each) => ({ value: each, label: each }))}
        />
        <Button onClick={add}>
          <Plus size={15} aria-hidden="true" />
          Add step
        </Button>
      </div>
    </Panel>
  );
}

interface StepFieldsProps extends DraftFieldsProps {
  index: number;
  step: StepForm;
}

function StepFields({ form, index, step, problems, onChange }: StepFieldsProps) {
  const { key, name, template, features } = step;
  const set = (part: Partial<StepForm>) => onChange(withStep(form, index, part));
  const at = (field: string) => problems.get(`steps.${index}.${field}`);
  return (
    <>
      <div className="row-between">
        <h3>
          {index + 1}. {name || key}
        </h3>
        <StepButtons form={form} index={index} onChange={onChange} />
      </div>
      <div className="form-grid">
        <TextField label="Name" value={name} onChange={(text) => set({ name: text })} error={at("name")} />
        <TextField
          label="Key"
          hint="Transitions and templates name the step by it."
          value={key}
          onChange={(text) => set({ key: text })}
          error={at("key")}
        />
      </div>
      <TextField
        label="What it does"
        hint="A JSON object with a type. Its texts are Liquid templates."
        value={template}
        onChange={(text) => set({ template: text })}
        error={at("prompt_template")}
        isLong
      />
      <TextField
        label="Features besides those that its template reads"
        value={features}
        onChange={(text) => set({ features: text })}
        error={at("feature_keys")}
        placeholder="average_delay, region"
      />
    </>
  );
}

/** A step with another key keeps its transitions. */
function withStep(form: DraftForm, index: number, part: Partial<StepForm>): DraftForm {
  const before = form.steps[index]?.key;
  const steps = form.steps.map((each, place) => (place === index ? { ...each, ...part } : each));
  const { key } = part;
  if (key === undefined || before === undefined) return { ...form, steps };
  const renamed = (name: string) => (name === before ? key : name);
  const transitions = form.transitions.map((each) => ({
    ...each,
    source: renamed(each.source),
    target: renamed(each.target),
  }));
  return { ...form, steps, transitions };
}

function StepButtons({ form, index, onChange }: Pick<StepFieldsProps, "form" | "index" | "onChange">) {
  const name = form.steps[index]?.name ?? "";
  const key = form.steps[index]?.key;
  const move = (to: number) => {
    const steps = [...form.steps];
    steps.splice(to, 0, ...steps.splice(index, 1));
    onChange({ ...form, steps });
  };
  const remove = () =>
    onChange({
      ...form,
      steps: form.steps.filter((_, place) => place !== index),
      transitions: form.transitions.filter(({ source, target }) => source !== key && target !== key),
    });
  return (
    <span className="row">
      {index > 0 && (
        <Button kind="quiet" size="small" label={`Move ${name} up`} onClick={() => move(index - 1)}>
          <ArrowUp size={14} aria-hidden="true" />
        </Button>
      )}
      {index < form.steps.length - 1 && (
        <Button kind="quiet" size="small" label={`Move ${name} down`} onClick={() => move(index + 1)}>
          <ArrowDown size={14} aria-hidden="true" />
        </Button>
      )}
      <Button kind="quiet" size="small" label={`Remove the step ${name}`} onClick={remove}>
        <Trash2 size={14} aria-hidden="true" />
      </Button>
    </span>
  );
}
