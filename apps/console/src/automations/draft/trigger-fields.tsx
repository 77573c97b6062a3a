import { SelectField, TextField } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type DraftForm, type DraftProblems, onSchedule, type ScheduleForm } from "./draft-form.ts";

interface TriggerFieldsProps {
  form: DraftForm;
  problems: DraftProblems;
  onChange: (form: DraftForm) => void;
}

const policies: readonly { value: ScheduleForm["missed"]; label: string }[] = [
  { value: "skip", label: "start no run" },
  { value: "catch_up", label: "the newest ten start theirs" },
];

/** What starts an automation by itself. */
export function TriggerFields({ form, problems, onChange }: TriggerFieldsProps) {
  return (
    <Panel title="Trigger">
      <div className="stack">
        <TextField
          label="Event that starts it"
          hint="An event, or schedule. Empty: it runs on demand only. Publishing needs the permission to read what the event is about, and for a schedule to start runs."
          value={form.event}
          onChange={(event) => onChange({ ...form, event })}
          error={problems.get("trigger.event")}
          placeholder="training.job.completed"
        />
        {form.event.trim() === onSchedule && <ScheduleFields form={form} problems={problems} onChange={onChange} />}
        <TextField
          label="Condition"
          hint="A Liquid condition over event. Empty: each such event."
          value={form.when}
          onChange={(when) => onChange({ ...form, when })}
          error={problems.get("trigger.when")}
          placeholder='event.job_name == "evaluate"'
        />
      </div>
    </Panel>
  );
}

function ScheduleFields({ form, problems, onChange }: TriggerFieldsProps) {
  const { cron, time_zone, missed } = form.schedule;
  const set = (part: Partial<ScheduleForm>) => onChange({ ...form, schedule: { ...form.schedule, ...part } });
  return (
    <>
      <TextField
        label="Times"
        hint="Minute, hour, day of the month, month, day of the week, as cron has them."
        value={cron}
        onChange={(text) => set({ cron: text })}
        error={problems.get("trigger.schedule.cron")}
        placeholder="30 6 * * MON-FRI"
      />
      <TextField
        label="Time zone"
        value={time_zone}
        onChange={(text) => set({ time_zone: text })}
        error={problems.get("trigger.schedule.time_zone")}
        placeholder="Europe/Berlin"
      />
      <SelectField
        label="Times while the platform is down"
        value={missed}
        onChange={(value) => set({ missed: value === "catch_up" ? "catch_up" : "skip" })}
        options={policies}
      />
    </>
  );
}
