import { type ListField as DeclaredField, ListFieldType, list } from "@aiplatform/contract/transcoder/v1/route";
import { type DescEnum, type DescFile, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { ContractError } from "../errors/contract-error.ts";
import { enumNames } from "../scalars/enum-names.ts";

/** What a field of a list is compared with. */
export type ListValueType = "text" | "id" | "number" | "boolean" | "enum" | "timestamp" | "scalar";

/** A field that the items of a list are found by. */
export interface ListField {
  /** Such as `created_at`, or `metrics` where it is a map. */
  readonly path: string;
  /** Whether a key follows the path. */
  readonly isMap: boolean;
  readonly type: ListValueType;
  readonly operators: readonly string[];
  /** Names of an enum. */
  readonly values: readonly string[];
  readonly isRepeated: boolean;
  readonly isOptional: boolean;
  readonly isSortable: boolean;
  readonly note: string;
}

/** What a list takes as `filter` and `order_by`. */
export interface ListDeclaration {
  readonly fields: readonly ListField[];
  /** Such as `created_at desc`. */
  readonly defaultOrder: string;
}

const allComparisons = ["=", "!=", "<", "<=", ">", ">="];
const equality = ["=", "!="];

const valueTypes: Readonly<Record<ListFieldType, { type: ListValueType; operators: readonly string[] } | undefined>> = {
  [ListFieldType.UNSPECIFIED]: undefined,
  [ListFieldType.TEXT]: { type: "text", operators: allComparisons },
  [ListFieldType.ID]: { type: "id", operators: equality },
  [ListFieldType.NUMBER]: { type: "number", operators: allComparisons },
  [ListFieldType.BOOLEAN]: { type: "boolean", operators: equality },
  [ListFieldType.ENUM]: { type: "enum", operators: equality },
  [ListFieldType.TIMESTAMP]: { type: "timestamp", operators: allComparisons },
  [ListFieldType.SCALAR]: { type: "scalar", operators: allComparisons },
};

/** What the request of a list declares; undefined for any other message. @throws ContractError */
export function listDeclaration(request: DescMessage): ListDeclaration | undefined {
  if (!hasOption(request, list)) return undefined;
  for (const name of ["filter", "order_by"]) {
    const field = request.fields.find((each) => each.name === name);
    if (field?.scalar !== ScalarType.STRING) throw contradiction(request, `is a list without a string ${name}`);
  }
  const { fields, defaultOrder } = getOption(request, list);
  return { fields: fields.map((field) => listField(request, field)), defaultOrder };
}

function listField(request: DescMessage, declared: DeclaredField): ListField {
  const { path, repeated: isRepeated, optional: isOptional, sortable: isSortable, note } = declared;
  const known = valueTypes[declared.type];
  if (known === undefined) throw contradiction(request, `says no type of ${path}`);
  const isMap = path.endsWith(".*");
  if (isSortable && (isRepeated || isOptional))
    throw contradiction(request, `orders by ${path}, which not every item has once`);
  const compared = isRepeated ? ["=", ":"] : known.operators;
  const operators = (isOptional || isMap) && !isRepeated ? [...compared, ":"] : compared;
  const values = known.type === "enum" ? valuesOf(request, declared) : [];
  const plain = isMap ? path.slice(0, -2) : path;
  return { path: plain, isMap, type: known.type, operators, values, isRepeated, isOptional, isSortable, note };
}

function valuesOf(request: DescMessage, { path, enum: name }: DeclaredField): string[] {
  const desc = enumNamed(request.file, name, new Set());
  if (desc === undefined)
    throw contradiction(request, `its ${path} names ${name}, which is no enum that its file knows`);
  return [...enumNames(desc).byName.keys()];
}

function enumNamed(file: DescFile, name: string, seen: Set<DescFile>): DescEnum | undefined {
  if (seen.has(file)) return undefined;
  seen.add(file);
  const own = file.enums.find(({ typeName }) => typeName === name);
  if (own) return own;
  for (const dependency of file.dependencies) {
    const found = enumNamed(dependency, name, seen);
    if (found) return found;
  }
  return undefined;
}

function contradiction({ typeName }: DescMessage, reason: string): ContractError {
  return new ContractError("bad_list", typeName, reason);
}
