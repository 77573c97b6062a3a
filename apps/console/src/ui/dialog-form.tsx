import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";

interface DialogFormProps {
  submitLabel: string;
  /** Why it cannot be sent now. */
  forbidden?: string | undefined;
  isPending: boolean;
  error: unknown;
  onSubmit: () => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** The form of a dialog that makes something, with its buttons. A refusal stands below the fields. */
export function DialogForm({ submitLabel, forbidden, isPending, error, onSubmit, onClose, children }: DialogFormProps) {
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {error !== null && error !== undefined && <ErrorNotice error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isPending={isPending} forbidden={forbidden}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
