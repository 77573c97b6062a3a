import { type FormEvent, useState } from "react";
import { MemberField } from "../../members/member-field.tsx";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { type AuditSearch, localTime, utcTime } from "./audit-search.ts";

const spans = [
  { label: "Last hour", ms: 3_600_000 },
  { label: "Last day", ms: 86_400_000 },
  { label: "Last week", ms: 604_800_000 },
] as const;

const outcomes = [
  { value: "", label: "any" },
  { value: "done", label: "done" },
  { value: "refused", label: "refused" },
] as const;

interface AuditFilterProps {
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
}

/** Chooses records by time, actor, action, outcome and what they are about. */
export function AuditFilter({ search, onChange }: AuditFilterProps) {
  const [form, setForm] = useState(search);
  const set = (name: keyof AuditSearch) => (value: string | undefined) => setForm({ ...form, [name]: value ?? "" });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(form);
  };
  const isFiltered = Object.keys(search).length > 0;
  return (
    <form className="audit-filter" aria-label="Filter of records" onSubmit={submit}>
      <div className="audit-fields">
        <TextField
          label="From"
          type="datetime-local"
          value={localTime(form.since)}
          onChange={(value) => set("since")(utcTime(value))}
        />
        <TextField
          label="Until"
          type="datetime-local"
          value={localTime(form.until)}
          onChange={(value) => set("until")(utcTime(value))}
        />
        <MemberField
          label="Member"
          none="anyone"
          value={form.member ?? null}
          onChange={(id) => set("member")(id ?? undefined)}
        />
        <TextField
          label="Action"
          value={form.action ?? ""}
          onChange={set("action")}
          placeholder="identity.role.created"
        />
        <SelectField label="Outcome" value={form.outcome ?? ""} onChange={set("outcome")} options={outcomes} />
        <TextField label="About" value={form.entity ?? ""} onChange={set("entity")} placeholder="id" />
        <TextField label="Request" value={form.request ?? ""} onChange={set("request")} placeholder="request id" />
        <TextField
          label="Credential"
          value={form.credential ?? ""}
          onChange={set("credential")}
          placeholder="id of a key"
        />
      </div>
      <TextField
        label="Filter"
        value={form.filter ?? ""}
        onChange={set("filter")}
        placeholder="action = identity.role.created OR action = identity.role.deleted"
      />
      <div className="row">
        <Button type="submit">Apply</Button>
        {spans.map(({ label, ms }) => (
          <Button
            key={label}
            kind="quiet"
            onClick={() => onChange({ ...form, since: new Date(Date.now() - ms).toISOString(), until: "" })}
          >
            {label}
          </Button>
        ))}
        {isFiltered && (
          <Button kind="quiet" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </div>
    </form>
  );
}
