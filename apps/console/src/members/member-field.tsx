import { useForbidden } from "../api/session.ts";
import { SelectField, TextField } from "../ui/field.tsx";
import { useKnownMembers } from "./use-known-members.ts";

interface MemberFieldProps {
  label: string;
  /** What it says when it names no member. */
  none: string;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** Chooses a member by name; by id where the caller may not read members, or where there are too many for a list. */
export function MemberField({ label, none, value, onChange }: MemberFieldProps) {
  const forbidden = useForbidden("members:manage");
  const { data: known } = useKnownMembers();
  const change = (id: string) => onChange(id === "" ? null : id);
  if (forbidden !== undefined || known?.isWhole === false)
    return <TextField label={label} value={value ?? ""} onChange={change} placeholder="id of a member" />;
  const options = [...(known?.byId.values() ?? [])].map(({ id, display_name }) => ({ value: id, label: display_name }));
  const isKnown = value === null || options.some((option) => option.value === value);
  return (
    <SelectField
      label={label}
      value={value ?? ""}
      onChange={change}
      options={[{ value: "", label: none }, ...options, ...(isKnown ? [] : [{ value: value, label: value }])]}
    />
  );
}
