import { useMemo } from "react";
import { StateIcon } from "../../ui/chip.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { type GraphEdge, graphSize, type PlacedEdge, placeGraph } from "./step-graph.ts";

/** A step of the graph. */
export interface GraphStep {
  id: string;
  name: string;
  /** Its kind, such as `prompt`. */
  type: string;
  /** Where it stands in a run; undefined where there is none, or where the run has not come to it. */
  state?: string | undefined;
}

interface StepGraphViewProps {
  steps: readonly GraphStep[];
  edges: readonly GraphEdge[];
  /** Ids of the edges that a run took. */
  taken?: ReadonlySet<string>;
  selectedId: string | undefined;
  onSelect: (id: string) => void;
}

const noEdges: ReadonlySet<string> = new Set();

/** Steps and what follows them. To screen readers it is a list in which each step says what may follow. */
export function StepGraphView({ steps, edges, taken = noEdges, selectedId, onSelect }: StepGraphViewProps) {
  const placed = useMemo(
    () =>
      placeGraph(
        steps.map(({ id }) => id),
        edges,
      ),
    [steps, edges],
  );
  const { width, height } = placed;
  return (
    <ScrollBox role="group" aria-label="Graph of the steps" className="graph">
      <div className="graph-plane" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {placed.edges.map((edge) => (
            <Edge key={edge.ids.join()} edge={edge} isTaken={edge.ids.some((id) => taken.has(id))} />
          ))}
        </svg>
        <ol>
          {steps.map((step) => {
            const { x = 0, y = 0 } = placed.steps.get(step.id) ?? {};
            return (
              <li key={step.id} style={{ left: x, top: y, width: graphSize.stepWidth, height: graphSize.stepHeight }}>
                <StepButton step={step} isSelected={step.id === selectedId} onSelect={() => onSelect(step.id)} />
                <span className="visually-hidden">{followersText(step.id, steps, edges)}</span>
              </li>
            );
          })}
        </ol>
      </div>
    </ScrollBox>
  );
}

interface StepButtonProps {
  step: GraphStep;
  isSelected: boolean;
  onSelect: () => void;
}

function StepButton({ step: { name, type, state }, isSelected, onSelect }: StepButtonProps) {
  return (
    <button type="button" className="graph-step" data-state={state} aria-pressed={isSelected} onClick={onSelect}>
      <span className="graph-step-name">{name}</span>
      <span className="graph-step-type">
        {state !== undefined && <StateIcon state={state} />}
        {type}
        {state !== undefined && `, ${state}`}
      </span>
    </button>
  );
}

function Edge({ edge: { path, tip, label, labelAt }, isTaken }: { edge: PlacedEdge; isTaken: boolean }) {
  return (
    <g className="graph-edge" data-taken={isTaken || undefined}>
      <path d={path} />
      <path className="graph-arrow" d={`M${tip.x - 4} ${tip.y - 7}L${tip.x} ${tip.y}L${tip.x + 4} ${tip.y - 7}Z`} />
      <text x={labelAt.x} y={labelAt.y} textAnchor="middle" dominantBaseline="middle">
        {label}
      </text>
    </g>
  );
}

function followersText(id: string, steps: readonly GraphStep[], edges: readonly GraphEdge[]): string {
  const names = new Map(steps.map((step) => [step.id, step.name]));
  const followers = edges.filter(({ source }) => source === id);
  if (followers.length === 0) return "The run ends after it.";
  return followers.map(({ label, target }) => `After ${label}: ${names.get(target) ?? "an unknown step"}.`).join(" ");
}
