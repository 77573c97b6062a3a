import { Field as BaseField } from "@base-ui/react/field";
import type { ReactNode } from "react";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface TextFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  type?: "text" | "password" | "number" | "date" | "datetime-local" | "email";
  placeholder?: string;
  isRequired?: boolean;
  isLong?: boolean;
  /** Whether several lines are prose and not code. */
  isProse?: boolean;
  /** Whether screen readers alone get the label. */
  isLabelHidden?: boolean;
  autoComplete?: string;
}

/** A labelled line of text, or with `isLong` several lines. */
export function TextField({ label, hint, error, value, onChange, type = "text", isLong, ...rest }: TextFieldProps) {
  const { placeholder, isRequired, isProse = false, isLabelHidden, autoComplete } = rest;
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className={isLabelHidden ? "visually-hidden" : "field-label"}>{label}</BaseField.Label>
      <BaseField.Control
        className={isLong ? "textarea" : "input"}
        data-prose={isProse || undefined}
        render={isLong ? <textarea spellCheck={isProse} /> : <input type={type} step="any" />}
        value={value}
        onValueChange={onChange}
        placeholder={placeholder}
        required={isRequired}
        autoComplete={autoComplete ?? "off"}
      />
      <Notes hint={hint} error={error} />
    </BaseField.Root>
  );
}

interface SelectFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}

/** A labelled choice of one. The browser's own control: it works with every assistive technology and on every phone. */
export function SelectField({ label, hint, error, value, onChange, options }: SelectFieldProps) {
  return (
    <BaseField.Root className="field" invalid={error !== undefined}>
      <BaseField.Label className="field-label">{label}</BaseField.Label>
      <BaseField.Control
        className="select"
        render={
          <select>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </select>
        }
        value={value}
        onValueChange={onChange}
      />
      <Notes hint={hint} error={error} />
    </BaseField.Root>
  );
}

function Notes({ hint, error }: Omit<FieldProps, "label">) {
  return (
    <>
      {hint && <BaseField.Description className="field-hint">{hint}</BaseField.Description>}
      {error && (
        <BaseField.Error className="field-error" match>
          {error}
        </BaseField.Error>
      )}
    </>
  );
}
