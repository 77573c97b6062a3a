import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import type { RunsSearch } from "./runs-search.ts";

const quick = [
  { label: "Running", filter: "jobs.state = running" },
  { label: "Paused", filter: "jobs.state = paused" },
  { label: "Failed", filter: "jobs.state = failed" },
  { label: "Completed", filter: "jobs.state = completed" },
] as const;

const orders = [
  { value: "", label: "Newest first" },
  { value: "created_at asc", label: "Oldest first" },
  { value: "name asc", label: "By name" },
] as const;

interface RunsFilterProps {
  search: RunsSearch;
  onChange: (search: RunsSearch) => void;
}

/** Chooses runs in the grammar of the API's lists. The address has what is chosen, so that it can be sent to others. */
export function RunsFilter({ search, onChange }: RunsFilterProps) {
  const { filter = "", order = "" } = search;
  const [text, setText] = useState({ of: filter, value: filter });
  const value = text.of === filter ? text.value : filter;
  const isKnown = orders.some((each) => each.value === order);
  return (
    <form
      className="runs-filter"
      aria-label="Filter of runs"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ ...search, filter: value.trim() });
      }}
    >
      <div className="grow">
        <TextField
          label="Filter"
          value={value}
          onChange={(next) => setText({ of: filter, value: next })}
          placeholder="tags.team = vision AND metrics.loss < 0.1"
        />
      </div>
      <SelectField
        label="Order"
        value={order}
        onChange={(next) => onChange({ ...search, order: next })}
        options={isKnown ? orders : [...orders, { value: order, label: order }]}
      />
      <div className="row runs-quick">
        <Button type="submit">Apply</Button>
        {quick.map((each) => (
          <Button
            key={each.label}
            kind="quiet"
            aria-pressed={filter === each.filter}
            onClick={() => onChange({ ...search, filter: filter === each.filter ? "" : each.filter })}
          >
            {each.label}
          </Button>
        ))}
      </div>
    </form>
  );
}
