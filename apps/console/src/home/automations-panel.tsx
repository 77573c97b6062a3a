import { Link } from "@tanstack/react-router";
import { StateChip } from "../ui/chip.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useAutomations, useNewestAutomationRuns } from "./use-home.ts";

/** The newest automations, each with how its newest run went. */
export function AutomationsPanel() {
  const automations = useAutomations();
  const statuses = useNewestAutomationRuns(automations.data ?? []);
  return (
    <Panel title="Automations" isFlush actions={<Link to="/automations">All automations</Link>}>
      <QueryView query={automations}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No automations yet" />
          ) : (
            <ul className="home-list">
              {items.map(({ id, name, description, current_version }) => (
                <li key={id}>
                  <span className="grow">
                    <Link to="/automations/$automationId" params={{ automationId: id }}>
                      {name}
                    </Link>
                    <span className="muted small-block">{description}</span>
                  </span>
                  <Status status={statuses.get(id)} isPublished={current_version !== null} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function Status({ status, isPublished }: { status: string | undefined; isPublished: boolean }) {
  if (status) return <StateChip state={status} />;
  return <span className="muted">{isPublished ? "has not run yet" : "draft"}</span>;
}
