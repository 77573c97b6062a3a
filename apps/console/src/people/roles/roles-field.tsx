import { useForbidden } from "../../api/session.ts";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useAllRoles } from "./use-roles.ts";

interface RolesFieldProps {
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses roles by name. */
export function RolesField({ chosen, onChange }: RolesFieldProps) {
  const forbidden = useForbidden("roles:manage");
  const roles = useAllRoles();
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <fieldset className="check-list">
      <legend className="field-label">Roles</legend>
      {forbidden !== undefined ? (
        <p className="muted">Roles cannot be listed. {forbidden}</p>
      ) : (
        <QueryView query={roles} rows={2}>
          {(items) =>
            items.map(({ id, name, is_system, permission_ids }) => (
              <CheckboxField
                key={id}
                label={name}
                hint={`${is_system ? "of the system, " : ""}permissions: ${permission_ids.length}`}
                isChecked={chosen.includes(id)}
                onChange={(isChosen) => toggle(id, isChosen)}
              />
            ))
          }
        </QueryView>
      )}
    </fieldset>
  );
}
