import { ChangedMeanwhileError } from "../api/changed-since.ts";
import { Button } from "./button.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { JsonBox } from "./scroll-box.tsx";

interface SaveErrorProps<T> {
  error: unknown;
  /** Puts what is stored now into the form. */
  onTake: (current: T) => void;
  /** Leaves the form as it is; saving again replaces what is stored now. */
  onKeep: (current: T) => void;
}

/** Why a form was not saved. Where someone else was faster, it shows what is stored and lets people choose; the form keeps its text. */
export function SaveError<T>({ error, onTake, onKeep }: SaveErrorProps<T>) {
  if (!(error instanceof ChangedMeanwhileError)) return error ? <ErrorNotice error={error} /> : null;
  const current: T = error.current;
  return (
    <ConflictNotice
      what="it"
      details={
        <details>
          <summary>What is stored now</summary>
          <JsonBox label="What is stored now" value={current} />
        </details>
      }
    >
      <Button size="small" onClick={() => onKeep(current)}>
        Keep mine
      </Button>
      <Button size="small" onClick={() => onTake(current)}>
        Take theirs
      </Button>
    </ConflictNotice>
  );
}
