import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AutomationRun, AutomationStepRun, AutomationVersionEntry } from "../../api/platform.ts";
import { StateChip } from "../../ui/chip.tsx";
import { Empty, Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { JsonBox } from "../../ui/scroll-box.tsx";
import { Table } from "../../ui/table.tsx";
import { Duration, useNow } from "../../ui/time.tsx";
import { graphOf, StepDetail } from "../graph/step-detail.tsx";
import { StepGraphView } from "../graph/step-graph-view.tsx";
import { secondsOf, takenTransitions } from "../queries/run-rules.ts";
import { useVersion } from "../queries/use-automations.ts";

const route = getRouteApi("/shell/automations/$automationId/runs/$runId");

/** The steps of a run: as the graph of its version with the way that it took, as a table, and one of them in detail. */
export function RunSteps({ run }: { run: AutomationRun }) {
  const { step: chosen } = route.useSearch();
  const navigate = useNavigate();
  const version = useVersion(run.automation_id, run.version_id);
  // Without a choice the step that the run has come to.
  const stepId = chosen ?? run.steps.at(-1)?.step_id;
  const choose = (step: string) =>
    void navigate({
      to: "/automations/$automationId/runs/$runId",
      params: { automationId: run.automation_id, runId: run.id },
      search: { step },
      replace: true,
    });
  return (
    <QueryView query={version}>
      {(entry) => (
        <div className="automation-columns">
          <div className="stack">
            {entry && <RunGraph run={run} entry={entry} stepId={stepId} onStep={choose} />}
            <Panel title="Steps that were begun" isFlush>
              <StepRunsTable steps={run.steps} stepId={stepId} onStep={choose} />
            </Panel>
          </div>
          <ChosenStep run={run} entry={entry} stepId={stepId ?? entry?.version.steps[0]?.id} />
        </div>
      )}
    </QueryView>
  );
}

interface RunGraphProps {
  run: AutomationRun;
  entry: AutomationVersionEntry;
  stepId: string | undefined;
  onStep: (id: string) => void;
}

function RunGraph({ run, entry, stepId, onStep }: RunGraphProps) {
  const { steps, edges } = useMemo(() => graphOf(entry), [entry]);
  const states = new Map(run.steps.map(({ step_id, status }) => [step_id, status]));
  const shown = steps.map((step) => ({ ...step, state: states.get(step.id) }));
  const taken = takenTransitions(entry.version.step_transitions, run.steps);
  return (
    <Panel title="The way of the run" isFlush>
      <StepGraphView steps={shown} edges={edges} taken={taken} selectedId={stepId} onSelect={onStep} />
    </Panel>
  );
}

interface StepRunsTableProps {
  steps: readonly AutomationStepRun[];
  stepId: string | undefined;
  onStep: (id: string) => void;
}

function StepRunsTable({ steps, stepId, onStep }: StepRunsTableProps) {
  if (steps.length === 0) return <Empty title="No step has begun yet" />;
  return (
    <Table caption="Steps that were begun" columns={["Step", "Status", "Label", "Took", "Attempts"]}>
      {steps.map((step) => (
        <tr key={step.step_id}>
          <td>
            <button
              type="button"
              className="link-button"
              aria-pressed={step.step_id === stepId}
              onClick={() => onStep(step.step_id)}
            >
              {step.name}
            </button>
          </td>
          <td>
            <StateChip state={step.status} />
          </td>
          <td>{step.label ?? "–"}</td>
          <td>
            <StepTook step={step} />
          </td>
          <td className="number">{step.attempts}</td>
        </tr>
      ))}
    </Table>
  );
}

function StepTook({ step: { started_at, ended_at } }: { step: AutomationStepRun }) {
  const now = useNow();
  const seconds = secondsOf({ started: started_at, ended: ended_at }, now);
  return seconds === undefined ? "–" : <Duration seconds={seconds} />;
}

interface ChosenStepProps {
  run: AutomationRun;
  entry: AutomationVersionEntry | null;
  stepId: string | undefined;
}

/** What a step was to do, and what became of it. */
function ChosenStep({ run, entry, stepId }: ChosenStepProps) {
  const stepRun = run.steps.find(({ step_id }) => step_id === stepId);
  const step = entry?.version.steps.find(({ id }) => id === stepId);
  const name = stepRun?.name ?? step?.name;
  if (name === undefined) return <Empty title="This run has no steps yet" />;
  return (
    <Panel title={name}>
      <div className="stack">
        {stepRun ? <Outcome step={stepRun} /> : <p className="muted">The run has not come to this step.</p>}
        {step && entry && (
          <details>
            <summary>What the step does</summary>
            <StepDetail step={step} entry={entry} />
          </details>
        )}
      </div>
    </Panel>
  );
}

function Outcome({ step }: { step: AutomationStepRun }) {
  const { status, label, attempts, error, output } = step;
  return (
    <>
      <p className="row">
        <StateChip state={status} />
        {label !== null && (
          <span className="muted">
            ended with <code>{label}</code>
          </span>
        )}
        <span className="muted">
          <StepTook step={step} />
        </span>
        {attempts > 1 && <span className="muted number">{attempts} attempts</span>}
      </p>
      {error && <p className="error-text">{error}</p>}
      {output && (
        <div className="stack-tight">
          <h3>Output</h3>
          {typeof output["text"] === "string" && <pre className="template-text">{output["text"]}</pre>}
          <JsonBox label="Output" value={output} />
        </div>
      )}
    </>
  );
}
