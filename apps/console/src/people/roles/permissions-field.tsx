import { Fragment } from "react";
import type { Permission } from "../../api/platform.ts";
import { useSession } from "../../api/session.ts";
import { CheckboxField } from "../../ui/checkbox-field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { permissionAreas, rpcNames } from "./permission-areas.ts";
import { usePermissions } from "./use-roles.ts";

interface PermissionsFieldProps {
  chosen: readonly string[];
  /** What was granted before: it may be taken away by callers who lack it. */
  before?: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Chooses permissions by area. People can grant only what they hold. */
export function PermissionsField(props: PermissionsFieldProps) {
  const permissions = usePermissions();
  return (
    <QueryView query={permissions} rows={8}>
      {(all) => <Areas {...props} permissions={all} />}
    </QueryView>
  );
}

interface AreasProps extends PermissionsFieldProps {
  permissions: readonly Permission[];
}

function Areas({ permissions, chosen, before = [], onChange }: AreasProps) {
  const { data: session } = useSession();
  const own = new Set([...(session?.permission_ids ?? []), ...before]);
  const opens = new Map(permissions.map(({ id, rpcs }) => [id, rpcNames(rpcs)]));
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id));
  return (
    <div className="permission-areas">
      {permissionAreas([...permissions.map(({ id }) => id), ...chosen]).map(({ area, permissions: ids }) => (
        <fieldset key={area} className="check-list">
          <legend className="field-label">{area}</legend>
          {ids.map((id) => (
            <CheckboxField
              key={id}
              label={<code title={opens.get(id)}>{id}</code>}
              isChecked={chosen.includes(id)}
              onChange={(isChosen) => toggle(id, isChosen)}
              forbidden={own.has(id) ? undefined : "You do not hold it."}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** Permissions by area, to be read. */
export function PermissionList({ ids }: { ids: readonly string[] }) {
  return (
    <dl className="facts">
      {permissionAreas(ids).map(({ area, permissions }) => (
        <Fragment key={area}>
          <dt>{area}</dt>
          <dd className="row">
            {permissions.map((id) => (
              <code key={id}>{id}</code>
            ))}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
