import { problemOf } from "../api/problems.ts";
import { TextField } from "./field.tsx";

interface NameForm {
  name: string;
  description: string;
}

interface NameFieldsProps {
  form: NameForm;
  onChange: (form: NameForm) => void;
  /** Why it was not saved; what it says of a field stands at that field. */
  error: unknown;
}

/** How something is called, and what it is for. */
export function NameFields({ form, onChange, error }: NameFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        onChange={(name) => onChange({ ...form, name })}
        error={problemOf(error, "name")}
        isRequired
      />
      <TextField
        label="Description"
        value={form.description}
        onChange={(description) => onChange({ ...form, description })}
        error={problemOf(error, "description")}
        isLong
        isProse
      />
    </>
  );
}
