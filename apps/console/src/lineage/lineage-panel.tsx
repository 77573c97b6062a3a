import { Empty, Panel } from "../ui/panel.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { emptyTexts, type Lineage, type LineageKind, lineageSides, totalsText } from "./lineage.ts";
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
      {(answer) => <LineageSides answer={answer} kind={kind} id={id} />}
    </QueryView>
  );
}

function LineageSides({ answer, kind, id }: LineageProps & { answer: Lineage }) {
  const { sources, derived } = lineageSides(answer, id);
  const hidden = totalsText(answer.hidden);
  return (
    <>
      {sources.length + derived.length === 0 && !hidden && (
        <Empty title="Nothing else yet">
          <p>{emptyTexts[kind]}</p>
        </Empty>
      )}
      {sources.length > 0 && <LineageTable caption="Made of" nodes={sources} />}
      {derived.length > 0 && <LineageTable caption="Used by" nodes={derived} />}
      {hidden && <p className="muted small padded">You may not read {hidden}.</p>}
      {answer.left_out > 0 && (
        <p className="muted small padded">
          Not shown: {answer.left_out} more. Open one of these to see what is beyond it.
        </p>
      )}
    </>
  );
}
