import type { Pipeline } from "../api/platform.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import type { RunForm } from "./new-run.ts";

interface NewRunFieldsProps {
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Partial<Record<keyof RunForm, string>>;
  pipelines: readonly Pipeline[];
  pipelineId: string;
  onPipeline: (id: string) => void;
}

/** The fields of a new run. A copy keeps the jobs of its source, and has one more configuration to change. */
export function NewRunFields({ form, onChange, problems, pipelines, pipelineId, onPipeline }: NewRunFieldsProps) {
  const set = (field: keyof RunForm) => (value: string) => onChange({ ...form, [field]: value });
  const options = pipelines.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="form-grid">
      <TextField label="Name" value={form.name} onChange={set("name")} error={problems.name} />
      <SelectField label="Pipeline" value={pipelineId} onChange={onPipeline} options={options} />
      {form.copied.length === 0 && <JobFields form={form} set={set} problems={problems} />}
      <TextField
        label="Tags"
        value={form.tags}
        onChange={set("tags")}
        error={problems.tags}
        placeholder="team=vision, stage=trial"
      />
      <div className="form-wide">
        <TextField
          label={form.copied.length > 1 ? `Configuration of ${form.jobName}` : "Configuration"}
          hint="A JSON object that the trainer gets as it is."
          value={form.configuration}
          onChange={set("configuration")}
          error={problems.configuration}
          isLong
        />
      </div>
    </div>
  );
}

type JobFieldsProps = Pick<NewRunFieldsProps, "form" | "problems"> & {
  set: (field: keyof RunForm) => (value: string) => void;
};

function JobFields({ form, problems, set }: JobFieldsProps) {
  return (
    <>
      <TextField label="Job" value={form.jobName} onChange={set("jobName")} error={problems.jobName} />
      <TextField
        label="Primary metric"
        hint="Decides which checkpoint is best. Empty: none."
        value={form.primaryMetric}
        onChange={set("primaryMetric")}
        placeholder="loss"
      />
      <SelectField
        label="Goal"
        value={form.goal}
        onChange={set("goal")}
        options={[
          { value: "minimize", label: "Minimize" },
          { value: "maximize", label: "Maximize" },
        ]}
      />
    </>
  );
}
