import { useMemo } from "react";
import type { AutomationVersionEntry } from "../api/platform.ts";
import { Panel } from "../ui/panel.tsx";
import { graphOf, StepDetail } from "./graph/step-detail.tsx";
import { StepGraphView } from "./graph/step-graph-view.tsx";

interface StepsPanelProps {
  entry: AutomationVersionEntry;
  /** The step that is shown; the first one by default. */
  stepId: string | undefined;
  onStep: (id: string) => void;
}

/** The published steps as a graph, and one of them in detail. */
export function StepsPanel({ entry, stepId, onStep }: StepsPanelProps) {
  const { steps, edges } = useMemo(() => graphOf(entry), [entry]);
  const step = entry.version.steps.find(({ id }) => id === stepId) ?? entry.version.steps[0];
  return (
    <div className="automation-columns">
      <Panel title="Published steps" isFlush>
        <StepGraphView steps={steps} edges={edges} selectedId={step?.id} onSelect={onStep} />
      </Panel>
      <div className="stack">
        {step && (
          <Panel title={step.name}>
            <StepDetail step={step} entry={entry} />
          </Panel>
        )}
        <Panel title="What it may do">
          <Delegated entry={entry} />
        </Panel>
      </div>
    </div>
  );
}

/** The permissions that the steps have in the publisher's name. */
function Delegated({ entry: { permission_ids } }: { entry: AutomationVersionEntry }) {
  if (permission_ids.length === 0) return <p className="muted">Its steps need no permission.</p>;
  return (
    <>
      <p className="muted">In the name of the member who published it:</p>
      <ul className="row">
        {permission_ids.map((id) => (
          <li key={id}>
            <code>{id}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
