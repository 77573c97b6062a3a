import { readFileSync } from "node:fs";
import { join } from "node:path";
import { field as fieldRules, type StringRules } from "@aiplatform/contract/buf/validate/validate";
import { services } from "@aiplatform/contract/services";
import { type ParserPlugin, parse } from "@babel/parser";
import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";

/** A regular expression, and where it is written. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
  /** `path:line`, or the name of a field of the contract. */
  readonly places: readonly string[];
}

/** What was found in source files. */
export interface Collected {
  readonly patterns: readonly Pattern[];
  /** Where a pattern is put together while the program runs, so that it cannot be judged beforehand. */
  readonly built: readonly string[];
}

/** How files are read: paths are relative to `cwd`. */
export interface Reading {
  readonly cwd: string;
  readonly plugins?: ParserPlugin[];
}

/** The literals and constructor calls of these files, in the order of the files; the same literal once. */
export function patternsIn(files: readonly string[], { cwd, plugins = [] }: Reading): Collected {
  const patterns = new Map<string, Pattern>();
  const built: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(cwd, file), "utf8");
    const tree: unknown = parse(text, { sourceType: "unambiguous", errorRecovery: true, plugins }).program;
    for (const node of nodesOf(tree)) {
      const place = `${file}:${lineOf(node)}`;
      if (node["type"] === "RegExpLiteral") add(patterns, String(node["pattern"]), String(node["flags"]), place);
      else if (callsRegExp(node)) built.push(place);
    }
  }
  return { patterns: [...patterns.values()], built };
}

type Node = Readonly<Record<string, unknown>>;

function* nodesOf(value: unknown): Iterable<Node> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (isNode(value)) {
    if (typeof value["type"] === "string") yield value;
    for (const [name, inner] of Object.entries(value)) if (name !== "loc") yield* nodesOf(inner);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

function lineOf({ loc }: Node): number {
  return isNode(loc) && isNode(loc["start"]) ? Number(loc["start"]["line"]) : 0;
}

function callsRegExp({ type, callee }: Node): boolean {
  return (type === "NewExpression" || type === "CallExpression") && isNode(callee) && callee["name"] === "RegExp";
}

function add(patterns: Map<string, Pattern>, source: string, flags: string, place: string): void {
  const key = `/${source}/${flags}`;
  patterns.set(key, { source, flags, places: [...(patterns.get(key)?.places ?? []), place] });
}

/** What the contract says of texts, as the transcoder compiles it. */
export function contractPatterns(): readonly Pattern[] {
  const patterns = new Map<string, Pattern>();
  for (const message of requests()) {
    for (const field of message.fields) {
      for (const source of patternsOf(field)) add(patterns, source, "u", `${message.typeName}.${field.name}`);
    }
  }
  return [...patterns.values()];
}

function requests(): Iterable<DescMessage> {
  const found = new Set<DescMessage>();
  const visit = (message: DescMessage) => {
    if (found.has(message)) return;
    found.add(message);
    for (const { message: inner } of message.fields) if (inner) visit(inner);
  };
  for (const { input } of services.flatMap(({ methods }) => methods)) visit(input);
  return found;
}

function patternsOf(field: DescField): string[] {
  if (!hasOption(field, fieldRules)) return [];
  const { type } = getOption(field, fieldRules);
  const all = type.case === "repeated" ? [type.value.items] : [];
  if (type.case === "map") all.push(type.value.keys, type.value.values);
  const texts = [type, ...all.map((rules) => rules?.type)].flatMap((rules) =>
    rules?.case === "string" ? [rules.value] : [],
  );
  return texts.flatMap((rules: StringRules) => (Object.hasOwn(rules, "pattern") ? [rules.pattern] : []));
}
