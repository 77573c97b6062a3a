import { membersOf } from "../../api/members.ts";
import type { AutomationStep, AutomationVersionEntry } from "../../api/platform.ts";
import { JsonBox } from "../../ui/scroll-box.tsx";

/** What a step does: its key, its type, its members, and what may follow it. */
export function StepDetail({ step, entry }: { step: AutomationStep; entry: AutomationVersionEntry }) {
  const { type, ...members } = step.prompt_template;
  const key = entry.step_keys.find(({ step_id }) => step_id === step.id);
  return (
    <div className="stack">
      <dl className="facts">
        <dt>Type</dt>
        <dd>{typeof type === "string" ? type : "unknown"}</dd>
        {key && (
          <>
            <dt>Key</dt>
            <dd>
              <code>{key.key}</code>
            </dd>
          </>
        )}
        {key && key.feature_keys.length > 0 && (
          <>
            <dt>Features</dt>
            <dd>{key.feature_keys.join(", ")}</dd>
          </>
        )}
        <dt>Then</dt>
        <dd>
          <Followers step={step} entry={entry} />
        </dd>
      </dl>
      {Object.entries(members).map(([name, value]) => (
        <div key={name} className="stack-tight">
          <h3>
            <code>{name}</code>
          </h3>
          {typeof value === "string" ? (
            <pre className="template-text">{value}</pre>
          ) : (
            <JsonBox label={name} value={value} />
          )}
        </div>
      ))}
    </div>
  );
}

function Followers({ step, entry: { version } }: { step: AutomationStep; entry: AutomationVersionEntry }) {
  const names = new Map(version.steps.map(({ id, name }) => [id, name]));
  const followers = version.step_transitions.filter(({ source_step_id }) => source_step_id === step.id);
  if (followers.length === 0) return <>the run ends</>;
  return (
    <ul>
      {followers.map(({ id, label, target_step_id }) => (
        <li key={id}>
          after <code>{label}</code>: {names.get(target_step_id)}
        </li>
      ))}
    </ul>
  );
}

/** The steps of a version as the graph takes them. */
export function graphOf({ version }: AutomationVersionEntry) {
  return {
    steps: version.steps.map(({ id, name, prompt_template }) => ({ id, name, type: typeOf(prompt_template) })),
    edges: version.step_transitions.map(({ id, source_step_id, target_step_id, label }) => ({
      ...{ id, label },
      source: source_step_id,
      target: target_step_id,
    })),
  };
}

function typeOf(template: unknown): string {
  const { type } = membersOf(template);
  return typeof type === "string" ? type : "unknown";
}
