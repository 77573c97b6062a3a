/** A part of a template: text as it is, or the value of a column. */
export type TemplatePart = { readonly text: string } | { readonly column: string };

/** Why a text is no template. */
export class TemplateFault extends Error {
  override name = "TemplateFault";
}

const [opening, closing] = ["{{", "}}"];

/** Reads `text {{column}} text`. Takes time that grows with the length. @throws TemplateFault */
export function readTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  for (let at = 0; at < template.length; ) {
    const start = template.indexOf(opening, at);
    if (start < 0) {
      parts.push({ text: template.slice(at) });
      break;
    }
    const end = template.indexOf(closing, start + opening.length);
    if (end < 0) throw new TemplateFault(`${opening} at character ${start + 1} has no ${closing}`);
    if (start > at) parts.push({ text: template.slice(at, start) });
    const column = template.slice(start + opening.length, end).trim();
    if (column === "") throw new TemplateFault(`${opening}${closing} at character ${start + 1} names no column`);
    parts.push({ column });
    at = end + closing.length;
  }
  return parts;
}

/** The columns that a template names, each once. */
export function columnsOf(parts: readonly TemplatePart[]): string[] {
  return [...new Set(parts.flatMap((part) => ("column" in part ? [part.column] : [])))];
}

/** The text of a row. A missing value is empty; lists and objects are JSON. */
export function renderTemplate(parts: readonly TemplatePart[], row: Readonly<Record<string, unknown>>): string {
  return parts.map((part) => ("text" in part ? part.text : textOf(row[part.column]))).join("");
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
