import type { OverrideDeclaration } from "../../api/platform.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { readOverride } from "./command-rules.ts";

interface OverrideFieldsProps {
  declarations: readonly OverrideDeclaration[];
  /** What was typed, by key; a key without text is not sent. */
  texts: Readonly<Record<string, string>>;
  problems: Readonly<Record<string, string>>;
  onChange: (texts: Readonly<Record<string, string>>) => void;
}

const applies: Readonly<Record<OverrideDeclaration["class"], string>> = {
  hot: "takes effect at the next step",
  cold: "takes effect with the restart",
  resources: "takes effect when the job goes on",
};

/** A form of the settings that the job declares. */
export function OverrideFields({ declarations, texts, problems, onChange }: OverrideFieldsProps) {
  if (declarations.length === 0) return null;
  return (
    <fieldset className="override-fields">
      <legend className="field-label">Settings to change</legend>
      {declarations.map((declaration) => (
        <OverrideField
          key={declaration.key}
          declaration={declaration}
          text={texts[declaration.key] ?? ""}
          problem={problems[declaration.key]}
          onChange={(text) => onChange({ ...texts, [declaration.key]: text })}
        />
      ))}
    </fieldset>
  );
}

interface OverrideFieldProps {
  declaration: OverrideDeclaration;
  text: string;
  problem: string | undefined;
  onChange: (text: string) => void;
}

function OverrideField({ declaration, text, problem, onChange }: OverrideFieldProps) {
  const { key, type, class: kind, minimum, maximum, allowed } = declaration;
  const bounds = [minimum !== null && `at least ${minimum}`, maximum !== null && `at most ${maximum}`];
  const hint = [...bounds, applies[kind]].filter(Boolean).join(", ");
  const choices = type === "boolean" ? ["true", "false"] : allowed;
  const shared = { label: key, hint, value: text, onChange, error: problem };
  if (choices.length === 0) return <TextField {...shared} placeholder="unchanged" />;
  const options = [{ value: "", label: "unchanged" }, ...choices.map((each) => ({ value: each, label: each }))];
  return <SelectField {...shared} options={options} />;
}

/** What was typed as values to send, and what is wrong with the rest. */
export function readOverrides(declarations: readonly OverrideDeclaration[], texts: Readonly<Record<string, string>>) {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const declaration of declarations) {
    const text = texts[declaration.key] ?? "";
    if (text === "") continue;
    const reading = readOverride(declaration, text);
    if ("problem" in reading) problems[declaration.key] = reading.problem;
    else values[declaration.key] = reading.value;
  }
  return { values, problems };
}
