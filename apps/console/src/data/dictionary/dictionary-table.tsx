import { Link } from "@tanstack/react-router";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Dataset, DictionaryChange } from "../../api/platform.ts";
import { useForbidden } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Empty } from "../../ui/panel.tsx";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { Author } from "./author.tsx";
import { type AddedEntry, type DictionaryEdits, rowOfAdded, rowOfName } from "./dictionary-edits.ts";
import type { DictionaryRow } from "./dictionary-rows.ts";
import { RemoveEntryDialog } from "./remove-entry-dialog.tsx";
import { type Dictionary, useLatestChanges } from "./use-dictionary.ts";

/** Rows that are shown at once: each may have a field. */
const rowsAtOnce = 100;

interface DictionaryTableProps {
  dataset: Dataset;
  dictionary: Dictionary;
  rows: readonly DictionaryRow[];
  /** Undefined: the dictionary is only read. */
  edits: DictionaryEdits | undefined;
  /** What is wrong with a row. */
  problems: ReadonlyMap<string, string>;
  onEdit: (edits: DictionaryEdits) => void;
}

/** The entries of a dictionary, each with its type, its text, and who wrote that; or with fields to change them. */
export function DictionaryTable({ dataset, dictionary, rows, edits, problems, onEdit }: DictionaryTableProps) {
  const [count, setCount] = useState(rowsAtOnce);
  const [removedName, setRemovedName] = useState<string>();
  const removed = rows.find(({ name }) => name === removedName);
  const latest = useLatestChanges(dataset.id, dictionary).data;
  const columns = ["Name", "Type", "Meaning", "Written", { name: "Actions", isHidden: true }];
  return (
    <>
      {rows.length === 0 && !edits ? (
        <Empty title="No entry has these words" />
      ) : (
        <Table caption="Entries of the data dictionary" columns={columns}>
          {edits?.added.map((added) => (
            <AddedRow
              key={added.id}
              added={added}
              edits={edits}
              problem={problems.get(rowOfAdded(added.id))}
              onEdit={onEdit}
            />
          ))}
          {rows.slice(0, count).map((row) => (
            <EntryRow
              key={row.name}
              datasetId={dataset.id}
              row={row}
              change={latest?.get(row.name)}
              edits={edits}
              problem={problems.get(rowOfName(row.name))}
              onEdit={onEdit}
              onRemove={() => setRemovedName(row.name)}
            />
          ))}
        </Table>
      )}
      <div className="row dictionary-more">
        {edits && <AddButton edits={edits} onEdit={onEdit} />}
        {rows.length > count && (
          <Button onClick={() => setCount(count + rowsAtOnce)}>Show more of {rows.length}</Button>
        )}
      </div>
      {removed && (
        <RemoveEntryDialog
          datasetId={dataset.id}
          dictionary={dictionary}
          row={removed}
          onClose={() => setRemovedName(undefined)}
        />
      )}
    </>
  );
}

interface EntryRowProps {
  datasetId: string;
  row: DictionaryRow;
  change: DictionaryChange | undefined;
  edits: DictionaryEdits | undefined;
  problem: string | undefined;
  onEdit: (edits: DictionaryEdits) => void;
  onRemove: () => void;
}

function EntryRow({ datasetId, row, change, edits, problem, onEdit, onRemove }: EntryRowProps) {
  const { name, type, description, hasEntry } = row;
  return (
    <tr>
      <td className="dictionary-name">
        <code>{name}</code>
      </td>
      <td className="muted">{type ?? "term"}</td>
      <td className="dictionary-text">
        {edits ? (
          <TextField
            label={`Meaning of ${name}`}
            isLabelHidden
            isLong
            isProse
            value={edits.texts.get(name) ?? description}
            onChange={(text) => onEdit({ ...edits, texts: new Map([...edits.texts, [name, text]]) })}
            error={problem}
          />
        ) : (
          description || <span className="muted">not described yet</span>
        )}
      </td>
      <td className="dictionary-author">
        {change && (
          <Link to="/data/$datasetId" params={{ datasetId }} search={{ tab: "history", entry: name }}>
            <Time at={change.changed_at} />
          </Link>
        )}
        {change && description !== "" && (
          <span className="muted small-block">
            by <Author change={change} />
          </span>
        )}
      </td>
      <td className="right">{!edits && hasEntry && <RemoveButton name={name} onRemove={onRemove} />}</td>
    </tr>
  );
}

function RemoveButton({ name, onRemove }: { name: string; onRemove: () => void }) {
  const forbidden = useForbidden("dictionary:write");
  return (
    <Button kind="quiet" size="small" label={`Remove the entry ${name}`} forbidden={forbidden} onClick={onRemove}>
      <Trash2 size={14} aria-hidden="true" />
    </Button>
  );
}

interface EditsProps {
  edits: DictionaryEdits;
  onEdit: (edits: DictionaryEdits) => void;
}

function AddedRow({ added, edits, problem, onEdit }: EditsProps & { added: AddedEntry; problem: string | undefined }) {
  const change = (part: Partial<AddedEntry>) =>
    onEdit({ ...edits, added: edits.added.map((each) => (each.id === added.id ? { ...each, ...part } : each)) });
  const drop = () => onEdit({ ...edits, added: edits.added.filter(({ id }) => id !== added.id) });
  return (
    <tr>
      <td className="dictionary-name">
        <TextField
          label="Name of the new entry"
          isLabelHidden
          placeholder="Name"
          value={added.name}
          onChange={(name) => change({ name })}
          error={problem}
        />
      </td>
      <td className="muted">new</td>
      <td className="dictionary-text">
        <TextField
          label={`Meaning of ${added.name || "the new entry"}`}
          isLabelHidden
          isLong
          isProse
          value={added.description}
          onChange={(description) => change({ description })}
        />
      </td>
      <td />
      <td className="right">
        <Button kind="quiet" size="small" label="Drop the new entry" onClick={drop}>
          <Trash2 size={14} aria-hidden="true" />
        </Button>
      </td>
    </tr>
  );
}

function AddButton({ edits, onEdit }: EditsProps) {
  const add = () =>
    onEdit({ ...edits, added: [{ id: crypto.randomUUID(), name: "", description: "" }, ...edits.added] });
  return (
    <Button onClick={add}>
      <Plus size={15} aria-hidden="true" />
      Add an entry
    </Button>
  );
}
