import { useState } from "react";
import { Button } from "./button.tsx";
import { SelectField, TextField } from "./field.tsx";

/** What the address of a list says, in the grammar of the API's lists. */
export interface ListSearch {
  filter?: string;
  order?: string;
}

export interface ListFilterProps {
  /** Its name for screen readers. */
  label: string;
  search: ListSearch;
  onChange: (search: ListSearch) => void;
  placeholder: string;
  /** The first is what the API does without one, and has no value. */
  orders: readonly { value: string; label: string }[];
  /** Filters that one press chooses. */
  quick: readonly { label: string; filter: string }[];
}

/** Chooses parts of a list. The address has what is chosen, so that it can be sent to others. */
export function ListFilter({ label, search, onChange, placeholder, orders, quick }: ListFilterProps) {
  const { filter = "", order = "" } = search;
  const [text, setText] = useState({ of: filter, value: filter });
  const value = text.of === filter ? text.value : filter;
  const isKnown = orders.some((each) => each.value === order);
  return (
    <form
      className="list-filter"
      aria-label={label}
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
          placeholder={placeholder}
        />
      </div>
      <SelectField
        label="Order"
        value={order}
        onChange={(next) => onChange({ ...search, order: next })}
        options={isKnown ? orders : [...orders, { value: order, label: order }]}
      />
      <div className="row">
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
