import { assertNone, type FieldViolation } from "@aiplatform/service-host";
import type { VersionColumn } from "../dataset-versions/dataset-version.ts";
import type { RowInput } from "./embedding.ts";
import { columnsOf, readTemplate, TemplateFault } from "./row-template.ts";

/** What a request says of the input. Empty: it says nothing. */
export interface SaidInput {
  template: string;
  column: string;
  scale: number;
}

/** What is sent for a row, which fits the columns of the version. @throws InvalidFieldsError */
export function rowInputOf(columns: readonly VersionColumn[], said: SaidInput): RowInput {
  const { template, column, scale } = said;
  assertNone([...oneOf(said), ...(template === "" ? [] : faultsOfTemplate(columns, template))]);
  if (template !== "") return { kind: "template", template };
  assertNone(faultsOfColumn(columns, column));
  return { kind: "column", column, scale };
}

function oneOf({ template, column }: SaidInput): FieldViolation[] {
  const field = "recipe.template";
  if (template !== "" && column !== "") {
    return [
      { field, reason: "NOT_TOGETHER", description: "cannot be given together with column: leave one of them out" },
    ];
  }
  if (template !== "" || column !== "") return [];
  return [
    { field, reason: "INPUT_MISSING", description: "is missing: give a template, or a column of lists of numbers" },
  ];
}

function faultsOfTemplate(columns: readonly VersionColumn[], template: string): FieldViolation[] {
  const field = "recipe.template";
  const known = new Set(columns.map(({ name }) => name));
  try {
    const named = columnsOf(readTemplate(template));
    if (named.length === 0) {
      return [
        {
          field,
          reason: "TEMPLATE_INVALID",
          description: "names no column: write {{name}} where its value is to stand",
        },
      ];
    }
    const unknown = named.filter((name) => !known.has(name));
    return unknown.map((name) => ({
      ...{ field, reason: "COLUMN_UNKNOWN" },
      description: `names ${JSON.stringify(name)}, and the version has no column of this name`,
    }));
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error;
    return [{ field, reason: "TEMPLATE_INVALID", description: `${error.message}: write {{name}}` }];
  }
}

function faultsOfColumn(columns: readonly VersionColumn[], name: string): FieldViolation[] {
  const field = "recipe.column";
  const column = columns.find((each) => each.name === name);
  if (!column) return [{ field, reason: "COLUMN_UNKNOWN", description: "the version has no column of this name" }];
  if (column.kind === "list") return [];
  return [{ field, reason: "COLUMN_UNFIT", description: "is no column of lists of numbers: use a template instead" }];
}
