import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { type Lineage, type LineageKind, lineageSides, totalsText } from "./lineage.ts";
import { LineageTable } from "./lineage-table.tsx";
import { useLineage } from "./use-lineage.ts";

interface LineageProps {
  kind: LineageKind;
  id: string;
}

/** What a thing was made of, and what was made of it, as a part of a page. */
export function LineagePanel(props: LineageProps) {
  return (
    <Panel title="Lineage" isFlush>
      <LineageView {...props} />
    </Panel>
  );
}

/** What a thing was made of, and what was made of it, as links. */
export function LineageView({ kind, id }: LineageProps) {
  const lineage = useLineage(kind, id);
  return (
    <QueryView query={lineage} rows={2}>
      {(answer) => <LineageSides answer={answer} id={id} />}
    </QueryView>
  );
}

function LineageSides({ answer, id }: { answer: Lineage; id: string }) {
  const { sources, derived } = lineageSides(answer, id);
  const hidden = totalsText(answer.hidden);
  return (
    <>
      {sources.length + derived.length === 0 && !hidden && (
        <Empty title="Nothing else yet">
          <p>Runs that read this, models that they make and deployments of these appear here.</p>
        </Empty>
      )}
      {sources.length > 0 && <LineageTable caption="Made of" nodes={sources} />}
      {derived.length > 0 && <LineageTable caption="Used by" nodes={derived} />}
      {hidden && <p className="muted small padded">You may not read {hidden}.</p>}
      {answer.left_out > 0 && <p className="muted small padded">{answer.left_out} more are not shown.</p>}
    </>
  );
}
