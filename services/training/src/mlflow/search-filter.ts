import { MlflowFilterReader, MlflowSearchError } from "./filter-reader.ts";
import { isNumber } from "./flat-object.ts";
import { hasStatus, quoted, type SearchField, type SearchFields } from "./search-fields.ts";

const comparisons = new Set(["=", "!=", "<", "<=", ">", ">="]);
const equalities = new Set(["=", "!="]);
const numberPattern = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
const maxListed = 30;

/** A filter of MLflow as one of ours; empty for an empty one. @throws MlflowSearchError */
export function listFilterOf(filter: string, fields: SearchFields): string {
  const reader = new MlflowFilterReader(filter, "filter");
  const parts: string[] = [];
  while (!reader.isAtEnd) {
    if (parts.length > 0 && !reader.takesWord("AND")) throw refused("joins comparisons by AND alone");
    parts.push(comparisonOf(reader, fields));
  }
  return parts.join(" AND ");
}

function comparisonOf(reader: MlflowFilterReader, fields: SearchFields): string {
  const { entity, key } = reader.name();
  const field = fields(entity, key);
  if (!field) throw refused(`compares ${entity === "" ? key : `${entity}.${key}`}, by which nothing is found here`);
  const operator = reader.operator();
  if (comparisons.has(operator)) return compared(field, operator, reader.value());
  if (operator === "IN") return anyOf(reader, field);
  if (operator === "NOT" && reader.takesWord("IN")) return `NOT ${anyOf(reader, field)}`;
  if (operator === "IS") return presenceOf(reader, field);
  throw refused(`compares by ${operator}: compare by =, !=, <, <=, >, >=, IN, NOT IN, IS NULL or IS NOT NULL`);
}

function anyOf(reader: MlflowFilterReader, field: SearchField): string {
  if (!reader.takes("(")) throw refused("has no list behind IN, such as ('a', 'b')");
  const values = [reader.value()];
  while (reader.takes(",")) values.push(reader.value());
  if (!reader.takes(")")) throw refused("has a list that is not closed");
  if (values.length > maxListed) throw refused(`lists ${values.length} values, and ${maxListed} are the most`);
  return `(${values.map((value) => compared(field, "=", value)).join(" OR ")})`;
}

function presenceOf(reader: MlflowFilterReader, { presence }: SearchField): string {
  const isNegated = reader.takesWord("NOT");
  if (!reader.takesWord("NULL")) throw refused("has IS without NULL or NOT NULL behind it");
  if (presence === undefined) throw refused("asks whether something is NULL that always has a value");
  return isNegated ? presence : `NOT ${presence}`;
}

function compared({ path, comparedAs }: SearchField, operator: string, value: string): string {
  switch (comparedAs) {
    case "status":
      return statusCompared(path, operator, value);
    case "number":
      return `${path} ${operator} ${numberOf(value)}`;
    case "time":
      return `${path} ${operator} ${timeOf(value)}`;
    case "scalar":
      return `${path} ${operator} ${isNumber(value) ? value : quoted(value)}`;
    case "text":
      return `${path} ${operator} ${quoted(value)}`;
  }
}

function statusCompared(path: string, operator: string, value: string): string {
  if (!equalities.has(operator)) throw refused(`compares the status by ${operator}: compare it by =, != or IN`);
  const found = hasStatus(path, value);
  if (found === undefined) throw refused("compares the status with something that is no status of runs");
  return operator === "=" ? found : `NOT ${found}`;
}

function numberOf(value: string): string {
  if (numberPattern.test(value)) return value;
  throw refused("compares a metric with something that is no number");
}

function timeOf(value: string): string {
  const time = new Date(numberPattern.test(value) ? Number(value) : Number.NaN);
  if (Number.isNaN(time.getTime())) throw refused("compares a time with something that is no number of milliseconds");
  return time.toISOString();
}

/** An order of MLflow as one of ours; empty without one. @throws MlflowSearchError */
export function listOrderOf(orders: readonly string[], fields: SearchFields): string {
  const [order, ...further] = orders.filter((each) => each.trim() !== "");
  if (order === undefined) return "";
  if (further.length > 0) throw new MlflowSearchError("order_by", "has several orders, and a list has one");
  const reader = new MlflowFilterReader(order, "order_by");
  const { entity, key } = reader.name();
  const field = fields(entity, key);
  if (!field?.isSortable) throw new MlflowSearchError("order_by", "names something that lists are not ordered by");
  const isDescending = !reader.takesWord("ASC") && reader.takesWord("DESC");
  if (!reader.isAtEnd) throw new MlflowSearchError("order_by", "has more than a name and ASC or DESC");
  return isDescending ? `${field.path} desc` : field.path;
}

function refused(description: string): MlflowSearchError {
  return new MlflowSearchError("filter", description);
}
