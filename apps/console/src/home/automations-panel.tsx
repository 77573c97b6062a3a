import { Link } from "@tanstack/react-router";
import { useNewestRuns } from "../automations/queries/use-runs-of-automation.ts";
import { StateChip } from "../ui/chip.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { useAutomations } from "./use-home.ts";

/** The newest automations, each with how its newest run went. */
export function AutomationsPanel() {
  const automations = useAutomations();
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
                  <Status automationId={id} isPublished={current_version !== null} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}

function Status({ automationId, isPublished }: { automationId: string; isPublished: boolean }) {
  const { data: runs } = useNewestRuns(automationId, 1);
  const newest = runs?.[0];
  if (newest) return <StateChip state={newest.status} />;
  if (!runs) return <span className="muted">…</span>;
  return <span className="muted">{isPublished ? "has not run yet" : "draft"}</span>;
}
