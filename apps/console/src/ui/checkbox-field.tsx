import { type ReactNode, useId } from "react";

interface CheckboxFieldProps {
  label: ReactNode;
  hint?: ReactNode;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** Why it cannot be changed. */
  forbidden?: string | undefined;
}

/** A labelled box to tick. One that is forbidden says why. */
export function CheckboxField({ label, hint, isChecked, onChange, forbidden }: CheckboxFieldProps) {
  const id = useId();
  const note = forbidden ?? hint;
  return (
    <div className="check-field">
      <input
        id={id}
        type="checkbox"
        className="checkbox"
        checked={isChecked}
        // Not `disabled`: everyone can reach it and read the reason.
        aria-disabled={forbidden !== undefined || undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => forbidden === undefined && onChange(event.target.checked)}
      />
      <span className="grow">
        <label htmlFor={id}>{label}</label>
        {note !== undefined && (
          <span id={`${id}-note`} className="field-hint small-block">
            {note}
          </span>
        )}
      </span>
    </div>
  );
}
