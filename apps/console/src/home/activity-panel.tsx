import { Link } from "@tanstack/react-router";
import { useForbidden } from "../api/session.ts";
import { MemberName } from "../members/member-name.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Time } from "../ui/time.tsx";
import { useActivity } from "./use-home.ts";

/** What people, programs and the platform have done last, as the audit log has it. Nothing for those who may not read that. */
export function ActivityPanel() {
  const isAllowed = useForbidden("audit:read") === undefined;
  const activity = useActivity(isAllowed);
  if (!isAllowed) return null;
  return (
    <Panel title="Recent activity" isFlush actions={<Link to="/people/audit">Audit log</Link>}>
      <QueryView query={activity}>
        {(records) =>
          records.length === 0 ? (
            <Empty title="Nothing has happened yet" />
          ) : (
            <ul className="home-list">
              {records.map(({ id, action, actor: { member_id, credential_id }, at, entity_id }) => (
                <li key={id}>
                  <span className="grow">
                    <Link to="/people/audit" search={entity_id === null ? { action } : { entity: entity_id }}>
                      {actionText(action)}
                    </Link>
                    <span className="muted small-block">
                      {member_id !== null ? (
                        <MemberName id={member_id} />
                      ) : credential_id ? (
                        "an API key"
                      ) : (
                        "the platform"
                      )}
                    </span>
                  </span>
                  <Time at={at} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

/** `content.email_draft.sent` → `email draft sent`. */
function actionText(action: string): string {
  return action.split(".").slice(1).join(" ").replaceAll("_", " ");
}
