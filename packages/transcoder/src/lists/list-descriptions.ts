import type { DescMessage } from "@bufbuild/protobuf";
import { type ListDeclaration, type ListField, listDeclaration } from "./list-declaration.ts";

/** What the description of a request's `filter` and `order_by` adds to their comments, by their names. @throws ContractError */
export function listDescriptions(request: DescMessage): Readonly<Record<string, string>> {
  const declaration = listDeclaration(request);
  if (declaration === undefined) return {};
  return { filter: filterDescription(declaration), order_by: orderDescription(declaration) };
}

function filterDescription({ fields }: ListDeclaration): string {
  return ["Fields:", ...fields.map((field) => `- ${fieldDescription(field)}`)].join("\n");
}

function fieldDescription(field: ListField): string {
  const { operators, note } = field;
  const compared = operators.map((operator) => `\`${operator}\``).join(" ");
  return `\`${shownPath(field)}\` (${compared}): ${kindOf(field)}${note === "" ? "" : `, ${note}`}`;
}

function kindOf({ type, values, isRepeated, isOptional, isMap }: ListField): string {
  const kinds = {
    text: "a text",
    id: "an id",
    number: "a number",
    boolean: "`true` or `false`",
    enum: `one of ${values.map((value) => `\`${value}\``).join(", ")}`,
    timestamp: "a time, such as `2026-03-02T09:00:00Z`",
    scalar: "a number, `true`, `false` or a text",
  };
  const has = isOptional || isMap ? "; `:*` where there is one" : "";
  return `${kinds[type]}${isRepeated ? "; any of them" : ""}${has}`;
}

function orderDescription({ fields, defaultOrder }: ListDeclaration): string {
  const sortable = fields.filter(({ isSortable }) => isSortable).map((field) => `\`${shownPath(field)}\``);
  const missing = fields.some(({ isSortable, isMap }) => isSortable && isMap)
    ? " What has no value of the key, or none that is a number, is left out."
    : "";
  return `One of ${sortable.join(", ")}, and \`asc\` or \`desc\`. Default: \`${defaultOrder}\`.${missing}`;
}

function shownPath({ path, isMap }: ListField): string {
  return isMap ? `${path}.<key>` : path;
}
