import { oneof as oneofRules } from "@aiplatform/contract/buf/validate/validate";
import { create, type DescField, type DescMessage, getOption, type Message } from "@bufbuild/protobuf";
import { extraFault, faults, valueFault } from "../errors/fault.ts";
import type { ProblemList } from "../errors/problem-list.ts";
import { JsonView } from "../json/view.ts";
import { type FieldTraits, fieldTraits, hasPresence } from "./field-traits.ts";
import { type Refinement, type SchemaCheck, schemaChecks } from "./schema-checks.ts";
import { sizeFault } from "./value-checks.ts";
import { type MessageReaders, type ValueReader, type ValueShape, valueReader } from "./value-reader.ts";
import { variantCheck } from "./variant-checks.ts";
import { variantsOf } from "./variants.ts";

/** A message while it is filled: fields by local name. */
export type MessageDraft = Message & Record<string, unknown>;

/** How one field is read, wherever it is bound. */
export interface FieldReader {
  readonly field: DescField;
  readonly name: string;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly traits: FieldTraits;
  readonly json: ValueReader["json"];
  /** Reads the one value of a singular field. */
  readonly text: ValueReader["text"];
  /** Reads the values of a list. */
  readonly texts: ((texts: readonly string[], problems: ProblemList) => unknown) | undefined;
  readonly assign: (draft: MessageDraft, value: unknown) => void;
}

/** Makes an empty message to be filled. */
export function draftOf(desc: DescMessage): MessageDraft {
  // The generic message type does not show its fields; their local names come from the descriptor.
  return create(desc) as MessageDraft;
}

/** What readers look at besides the contract. */
export interface ReaderOptions {
  /** Keywords that the description adds to the schema of a field. Default: none. */
  readonly refine?: Refinement | undefined;
  /** Refuses members that no field has the name of, and date-times without a zone. Default: false. */
  readonly strict?: boolean;
  /** Lists what breaks added schemas beside other problems; otherwise that is left to the service. Default: true. */
  readonly listsAdded?: boolean;
}

/** Compiles readers; each message type once, also when it contains itself. */
export class ReaderCompiler implements MessageReaders {
  readonly #messages = new Map<string, ValueReader["json"]>();
  readonly #refine: Refinement;
  readonly #listsAdded: boolean;
  readonly strict: boolean;

  constructor({ refine = () => undefined, strict = false, listsAdded = true }: ReaderOptions = {}) {
    this.#refine = refine;
    this.#listsAdded = listsAdded;
    this.strict = strict;
  }

  /** Readers of a message's fields in the order of their declaration, hidden ones left out. */
  fields(desc: DescMessage): FieldReader[] {
    return desc.fields.map((field) => this.field(field)).filter(({ traits }) => !traits.hidden);
  }

  /** Reader of an object that is a whole message. */
  message(desc: DescMessage): ValueReader["json"] {
    const known = this.#messages.get(desc.typeName);
    if (known !== undefined) return known;
    let read: ValueReader["json"] = () => undefined;
    this.#messages.set(desc.typeName, (view, problems) => read(view, problems));
    const readMembers = membersReader(desc, this.fields(desc), { strict: this.strict });
    read = (view, problems) => {
      if (view.kind !== "object") {
        problems.add(faults.object, view.raw);
        return undefined;
      }
      const draft = draftOf(desc);
      readMembers(draft, view, problems);
      return draft;
    };
    return read;
  }

  field(field: DescField): FieldReader {
    const traits = fieldTraits(field);
    const reader = this.#reader(field, traits);
    return {
      field,
      name: field.name,
      required: traits.required || (!hasPresence(field) && traits.default === undefined && reader.refusesZero),
      nullable: traits.nullable,
      traits,
      json: reader.json,
      text: field.fieldKind === "list" ? undefined : reader.text,
      texts: reader.texts,
      assign: assigner(field),
    };
  }

  #reader(field: DescField, traits: FieldTraits): ValueReader & Pick<FieldReader, "texts"> {
    if (traits.hidden) return { json: () => undefined, refusesZero: false, texts: undefined };
    const variants = variantsOf(field);
    const added = variants === undefined ? schemaChecks(field, this.#refine) : { value: variantCheck(field, variants) };
    const { value, item }: ReturnType<typeof schemaChecks> = this.#listsAdded ? added : {};
    if (field.fieldKind === "list") return listReader(field, traits, { messages: this, check: item });
    if (field.fieldKind === "map") return { ...dictionaryReader(field, traits, this), texts: undefined };
    return { ...checkedBy(value, valueReader(singularShape(field, traits), this)), texts: undefined };
  }
}

/** Reads members of an object into a message. */
export type MembersReader = (draft: MessageDraft, view: JsonView, problems: ProblemList) => void;

/** What of an object is looked at. */
export interface MembersOptions {
  /** Names of the fields that can be among them, read or not. Default: all. */
  readonly bound?: ReadonlySet<string>;
  /** Whether there may be no others; of others there may be any number. */
  readonly strict: boolean;
}

/** Reads the members of an object that `readers` name. */
export function membersReader(
  desc: DescMessage,
  readers: readonly FieldReader[],
  { bound = new Set(desc.fields.map(({ name }) => name)), strict }: MembersOptions,
): MembersReader {
  const checkOneofs = oneofCheck(desc, bound);
  const oneofFields = desc.oneofs.flatMap(({ fields }) => fields);
  const names = [...new Set([...readers, ...oneofFields].map(({ name }) => name))];
  const checkExtra = extraCheck(readers);
  return (draft, view, problems) => {
    const members = view.members(strict ? undefined : names);
    for (const reader of readers) {
      const member = members.get(reader.name);
      if (member === undefined) {
        if (reader.required) problems.addBelow(reader.name, faults.missing, view.raw);
        continue;
      }
      if (reader.nullable && member.kind === "null") continue;
      problems.path.push(reader.name);
      const value = reader.json(member, problems);
      problems.path.pop();
      if (value !== undefined) reader.assign(draft, value);
    }
    if (strict) checkExtra(members, problems);
    checkOneofs(members, view, problems);
  };
}

function extraCheck(
  readers: readonly FieldReader[],
): (members: ReadonlyMap<string, JsonView>, problems: ProblemList) => void {
  const names = readers.map(({ name }) => name);
  const known = new Set(names);
  const fault = extraFault(names);
  return (members, problems) => {
    for (const name of members.keys()) {
      if (problems.isFull) return;
      // What is in no contract may be a credential in the wrong place: it is not repeated.
      if (!known.has(name)) problems.addBelow(name, fault, undefined);
    }
  };
}

type OneofCheck = (members: ReadonlyMap<string, JsonView>, view: JsonView, problems: ProblemList) => void;

/** At most one member of a oneof may be given, and one must be where the contract says so. */
function oneofCheck(desc: DescMessage, bound: ReadonlySet<string>): OneofCheck {
  const inBody = desc.oneofs.filter(({ fields }) => fields.some(({ name }) => bound.has(name)));
  const oneofs = inBody.map((oneof) => {
    const names = oneof.fields.map(({ name }) => name);
    const quoted = names.map((name) => `'${name}'`).join(", ");
    return {
      names,
      required: getOption(oneof, oneofRules).required,
      several: valueFault(`only one of ${quoted} may be given`),
      none: valueFault(`one of ${quoted} must be given`),
    };
  });
  return (members, view, problems) => {
    for (const { names, required, several, none } of oneofs) {
      const given = names.filter((name) => (members.get(name)?.kind ?? "null") !== "null").length;
      if (given > 1) problems.add(several, view.raw);
      if (given === 0 && required) problems.add(none, view.raw);
    }
  };
}

/** A reader that also lists what a value it has read breaks of a schema. */
function checkedBy(check: SchemaCheck | undefined, reader: ValueReader): ValueReader {
  if (check === undefined) return reader;
  const checked = (value: unknown, view: () => JsonView, problems: ProblemList) => {
    if (value !== undefined) check(view(), problems);
    return value;
  };
  const { json, text, refusesZero } = reader;
  return {
    json: (view, problems) => checked(json(view, problems), () => view, problems),
    ...(text && {
      text: (given: string, problems: ProblemList) =>
        checked(text(given, problems), () => JsonView.of(JSON.stringify(given)), problems),
    }),
    refusesZero,
  };
}

function assigner(field: DescField): FieldReader["assign"] {
  const { localName } = field;
  const oneof = "oneof" in field ? field.oneof : undefined;
  if (oneof === undefined) {
    return (draft, value) => {
      draft[localName] = value;
    };
  }
  return (draft, value) => {
    draft[oneof.localName] = { case: localName, value };
  };
}

function singularShape(field: DescField, traits: FieldTraits): ValueShape {
  return {
    field,
    scalar: field.fieldKind === "scalar" ? field.scalar : undefined,
    enum: field.fieldKind === "enum" ? field.enum : undefined,
    message: field.fieldKind === "message" ? field.message : undefined,
    rules: traits.rules,
    ignoreZero: traits.ignoreZero,
    forbidsZero: traits.forbidsZero,
  };
}

type ListField = Extract<DescField, { fieldKind: "list" }>;
type MapField = Extract<DescField, { fieldKind: "map" }>;

function listReader(
  field: ListField,
  traits: FieldTraits,
  { messages, check }: { messages: MessageReaders; check: SchemaCheck | undefined },
): ValueReader & Pick<FieldReader, "texts"> {
  const rules = traits.rules?.type.case === "repeated" ? traits.rules.type.value : undefined;
  const item = checkedBy(check, valueReader(elementShape(field, rules?.items), messages));
  const min = Math.max(Number(rules?.minItems ?? 0n), traits.forbidsZero ? 1 : 0);
  const max =
    rules !== undefined && Object.hasOwn(rules, "maxItems") ? Number(rules.maxItems) : Number.POSITIVE_INFINITY;
  const isUnique = rules?.unique === true;
  function readItems<T>(
    given: readonly T[],
    raw: () => string,
    problems: ProblemList,
    read: (one: T) => unknown,
  ): unknown {
    const values: unknown[] = [];
    for (let index = 0; index < given.length && !problems.isFull; index++) {
      problems.path.push(index);
      const value = read(given[index] as T);
      problems.path.pop();
      if (value !== undefined) values.push(value);
    }
    if (values.length < given.length) return undefined;
    if (given.length < min && !(traits.ignoreZero && given.length === 0)) {
      problems.add(sizeFault("List", "too_short", min, given.length), raw());
    } else if (isUnique && new Set(values).size < values.length) {
      problems.add(valueFault("items must be unique"), raw());
    }
    return values;
  }
  const tooLong = (count: number) => sizeFault("List", "too_long", max, count);
  const { text } = item;
  return {
    json(view, problems) {
      if (view.kind !== "array") {
        problems.add(faults.list, view.raw);
        return undefined;
      }
      const tooMany = view.countBeyond(max);
      const raw = () => view.raw;
      if (tooMany === undefined) return readItems(view.items(), raw, problems, (one) => item.json(one, problems));
      problems.add(tooLong(tooMany), view.raw);
      return undefined;
    },
    texts:
      text &&
      ((texts, problems) => {
        const raw = () => JSON.stringify(texts);
        if (texts.length <= max) return readItems(texts, raw, problems, (one) => text(one, problems));
        problems.add(tooLong(texts.length), raw());
        return undefined;
      }),
    refusesZero: min > 0 && !traits.ignoreZero,
  };
}

function dictionaryReader(field: MapField, traits: FieldTraits, messages: MessageReaders): ValueReader {
  const rules = traits.rules?.type.case === "map" ? traits.rules.type.value : undefined;
  const entry = valueReader(elementShape(field, rules?.values), messages);
  const keyShape = { ...elementShape(field, rules?.keys), scalar: field.mapKey, enum: undefined, message: undefined };
  const key = valueReader(keyShape, messages);
  const min = Math.max(Number(rules?.minPairs ?? 0n), traits.forbidsZero ? 1 : 0);
  const max =
    rules !== undefined && Object.hasOwn(rules, "maxPairs") ? Number(rules.maxPairs) : Number.POSITIVE_INFINITY;
  const json: ValueReader["json"] = (view, problems) => {
    if (view.kind !== "object") {
      problems.add(faults.dictionary, view.raw);
      return undefined;
    }
    const members = view.members();
    if (members.size > max) {
      problems.add(sizeFault("Dictionary", "too_long", max, members.size), view.raw);
      return undefined;
    }
    // Without a prototype, so that a key such as `__proto__` is data.
    const entries: Record<string, unknown> = Object.create(null);
    for (const [name, member] of members) {
      problems.path.push(name);
      const named = readMapKey(key, name, problems);
      const value = entry.json(member, problems);
      problems.path.pop();
      if (named !== undefined && value !== undefined) entries[named] = value;
    }
    if (members.size < min) problems.add(sizeFault("Dictionary", "too_short", min, members.size), view.raw);
    return entries;
  };
  return { json, refusesZero: min > 0 && !traits.ignoreZero };
}

function elementShape(field: ListField | MapField, rules: ValueShape["rules"]): ValueShape {
  const kind = field.fieldKind === "list" ? field.listKind : field.mapKind;
  return {
    field,
    scalar: kind === "scalar" ? field.scalar : undefined,
    enum: kind === "enum" ? field.enum : undefined,
    message: kind === "message" ? field.message : undefined,
    rules,
    ignoreZero: false,
    forbidsZero: false,
  };
}

/** Reads a dictionary's key by the rules of its type; pydantic places a key's problem at the key and `[key]`. */
function readMapKey(reader: ValueReader, name: string, problems: ProblemList): string | undefined {
  problems.path.push("[key]");
  const key = reader.text?.(name, problems);
  problems.path.pop();
  return key === undefined ? undefined : String(key);
}
