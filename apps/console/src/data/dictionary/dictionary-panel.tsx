import { useState } from "react";
import type { Dataset } from "../../api/platform.ts";
import { isConflict, problemsOf } from "../../api/problems.ts";
import { useForbidden } from "../../api/session.ts";
import { LeaveGuard } from "../../shell/leave-guard.tsx";
import { Button } from "../../ui/button.tsx";
import { ChangeBar } from "../../ui/change-bar.tsx";
import { ConflictNotice } from "../../ui/conflict-notice.tsx";
import { ErrorNotice } from "../../ui/error-notice.tsx";
import { TextField } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { type DictionaryEdits, noEdits, problemsByRow, wantedEntries } from "./dictionary-edits.ts";
import { dictionaryRows, foundRows } from "./dictionary-rows.ts";
import { DictionaryTable } from "./dictionary-table.tsx";
import { ReviewDialog } from "./review-dialog.tsx";
import { type Dictionary, useDictionary, useWriteDictionary } from "./use-dictionary.ts";

interface DictionaryPanelProps {
  dataset: Dataset;
  /** Words of the rows that are shown. */
  find: string;
  onFind: (find: string) => void;
}

/** The dictionary of a dataset: read, and edited with a look at what would change. */
export function DictionaryPanel(props: DictionaryPanelProps) {
  const dictionary = useDictionary(props.dataset.id);
  return (
    <QueryView query={dictionary}>
      {(data) => <DictionaryEditor {...props} dictionary={data} onRead={() => dictionary.refetch()} />}
    </QueryView>
  );
}

interface EditorProps extends DictionaryPanelProps {
  /** As it is now. */
  dictionary: Dictionary;
  /** Reads it again. */
  onRead: () => Promise<{ data: Dictionary | undefined }>;
}

/** What is being edited. */
interface Editing {
  edits: DictionaryEdits;
  /** The dictionary that the edits are made from. */
  base: Dictionary;
}

function DictionaryEditor({ dataset, find, onFind, dictionary, onRead }: EditorProps) {
  const [editing, setEditing] = useState<Editing>();
  const check = useWriteDictionary(dataset.id);
  const [isConflicting, setIsConflicting] = useState(false);
  const shown = editing?.base ?? dictionary;
  const rows = dictionaryRows(dataset.columns, shown.entries);
  const wanted = editing ? wantedEntries(editing.base.entries, editing.edits) : [];
  const edit = (edits: DictionaryEdits) => {
    check.reset();
    setEditing({ edits, base: editing?.base ?? dictionary });
  };
  const end = () => {
    check.reset();
    setIsConflicting(false);
    setEditing(undefined);
  };
  const review = () =>
    check.mutate(
      { entries: wanted.map(({ entry }) => entry), etag: shown.etag, override: false, dry_run: true },
      { onError: (error) => setIsConflicting(isConflict(error)) },
    );
  const rebase = async () => {
    const { data } = await onRead();
    if (!data || !editing) return;
    check.reset();
    setIsConflicting(false);
    setEditing({ ...editing, base: data });
  };
  return (
    <section className="panel dictionary" aria-label="Data dictionary">
      <DictionaryHead find={find} onFind={onFind} isEditing={editing !== undefined} onEdit={() => edit(noEdits)} />
      {isConflicting && (
        <div className="padded">
          <ConflictNotice what="the dictionary">
            <Button size="small" onClick={() => void rebase()}>
              Read it again and keep my texts
            </Button>
          </ConflictNotice>
        </div>
      )}
      <DictionaryTable
        dataset={dataset}
        dictionary={shown}
        rows={foundRows(rows, find)}
        edits={editing?.edits}
        problems={problemsByRow(problemsOf(check.error), wanted)}
        onEdit={edit}
      />
      {check.error && !isConflicting && (
        <div className="padded">
          <ErrorNotice error={check.error} />
        </div>
      )}
      {editing && <DictionaryBar count={wanted.length} isPending={check.isPending} onReview={review} onDiscard={end} />}
      <LeaveGuard isDirty={wanted.length > 0} what="the dictionary" />
      {check.data && (
        <ReviewDialog
          datasetId={dataset.id}
          base={shown}
          wanted={wanted}
          preview={check.data}
          onConflict={() => {
            check.reset();
            setIsConflicting(true);
          }}
          onClose={() => check.reset()}
          onWritten={end}
        />
      )}
    </section>
  );
}

interface DictionaryHeadProps extends Pick<DictionaryPanelProps, "find" | "onFind"> {
  isEditing: boolean;
  onEdit: () => void;
}

function DictionaryHead({ find, onFind, isEditing, onEdit }: DictionaryHeadProps) {
  const forbidden = useForbidden("dictionary:write");
  return (
    <div className="dictionary-head">
      <TextField label="Find" value={find} onChange={onFind} placeholder="Part of a name or of a text" />
      {!isEditing && (
        <Button forbidden={forbidden} onClick={onEdit}>
          Edit texts
        </Button>
      )}
    </div>
  );
}

interface DictionaryBarProps {
  count: number;
  isPending: boolean;
  onReview: () => void;
  onDiscard: () => void;
}

function DictionaryBar({ count, isPending, onReview, onDiscard }: DictionaryBarProps) {
  return (
    <ChangeBar
      label="Changes of the dictionary"
      text={count === 1 ? "1 change, not saved" : `${count} changes, not saved`}
    >
      <Button onClick={onDiscard}>Discard</Button>
      <Button
        kind="primary"
        isPending={isPending}
        forbidden={count === 0 ? "Change a text or add an entry first." : undefined}
        onClick={onReview}
      >
        Review changes
      </Button>
    </ChangeBar>
  );
}
