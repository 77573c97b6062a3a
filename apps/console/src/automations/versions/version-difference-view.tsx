import { useMemo } from "react";
import type { AutomationVersionEntry } from "../../api/platform.ts";
import { TextDifference } from "../../ui/text-difference.tsx";
import { versionDifference } from "./version-difference.ts";

interface VersionDifferenceViewProps {
  /** Undefined: there is nothing before. */
  before: AutomationVersionEntry | undefined;
  after: AutomationVersionEntry;
}

/** What differs between two versions: steps, transitions, trigger. */
export function VersionDifferenceView({ before, after }: VersionDifferenceViewProps) {
  const difference = useMemo(() => versionDifference(before, after), [before, after]);
  const hasOtherFrame = difference.before !== difference.after;
  return (
    <section className="stack" aria-label="What differs">
      <h3>{before ? "What differs" : "What is new"}</h3>
      {difference.steps.length === 0 && !hasOtherFrame && <p className="muted">Nothing differs.</p>}
      {difference.steps.map(({ id, name, kind, before: old, after: next }) => (
        <div key={id} className="stack-tight">
          <p>
            Step <strong>{name}</strong> <span className="muted">{kind}</span>
          </p>
          <TextDifference before={old} after={next} by="lines" />
        </div>
      ))}
      {hasOtherFrame && (
        <div className="stack-tight">
          <p>Transitions and trigger</p>
          <TextDifference before={difference.before} after={difference.after} by="lines" />
        </div>
      )}
    </section>
  );
}
