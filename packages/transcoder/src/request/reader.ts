import querystring from "node:querystring";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { extraFault, faults } from "../errors/fault.ts";
import type { ProblemList } from "../errors/problem-list.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { JsonView } from "../json/view.ts";
import { draftOf, type FieldReader, type MessageDraft, membersReader } from "../messages/message-reader.ts";
import type { Binding } from "../routes/operation.ts";

/** What an operation's request is made of. */
export interface RequestParts {
  /** Percent-encoded values of the fields in the path. */
  readonly segments: readonly string[];
  /** Query without its question mark. */
  readonly query: string;
  readonly request: Pick<Exchange, "header">;
  /** Undefined when there is none. */
  readonly body: JsonView | undefined;
}

/** Reads a request; problems are noted in the order path, query, header, body. */
export type RequestReader = (parts: RequestParts, problems: ProblemList) => Message;

export function requestReader(input: DescMessage, binding: Binding): RequestReader {
  const readBody = bodyReader(input, binding);
  const { path, query, headers, strict } = binding;
  const hasQuery = query.length > 0;
  const checkExtra = extraParameterCheck(query);
  return (parts, problems) => {
    const draft = draftOf(input);
    for (let index = 0; index < path.length; index++) {
      const reader = path[index];
      if (reader !== undefined)
        readText(draft, reader, decode(parts.segments[index] ?? ""), ["path", reader.name], problems);
    }
    if (hasQuery) readQuery(draft, query, parts.query, problems);
    if (strict && parts.query !== "") checkExtra(parts.query, problems);
    for (const { header, reader } of headers) {
      const text = parts.request.header(header.name.toLowerCase());
      readText(draft, reader, text, ["header", header.name], problems);
    }
    readBody(draft, parts.body, problems);
    return draft;
  };
}

function readQuery(draft: MessageDraft, readers: readonly FieldReader[], query: string, problems: ProblemList): void {
  // No limit of keys: the length of a request line is bounded already.
  const values = querystring.parse(query, "&", "=", { maxKeys: 0 });
  for (const reader of readers) {
    const given = values[reader.name];
    if (reader.texts === undefined) {
      const text = Array.isArray(given) ? given.at(-1) : given;
      readText(draft, reader, text, ["query", reader.name], problems);
    } else if (given === undefined) {
      if (reader.required) problems.addAt(faults.missing, ["query", reader.name], "null");
    } else {
      problems.path.push("query", reader.name);
      const value = reader.texts(typeof given === "string" ? [given] : given, problems);
      problems.path.length = 0;
      if (value !== undefined) reader.assign(draft, value);
    }
  }
}

function extraParameterCheck(readers: readonly FieldReader[]): (query: string, problems: ProblemList) => void {
  const names = readers.map(({ name }) => name);
  const fault = extraFault(names);
  return (query, problems) => {
    for (const name of Object.keys(querystring.parse(query, "&", "=", { maxKeys: 0 }))) {
      if (problems.isFull) return;
      // What is in no contract may be a credential in the wrong place: it is not repeated.
      if (!names.includes(name)) problems.addAt(fault, ["query", name], undefined);
    }
  };
}

function readText(
  draft: MessageDraft,
  reader: FieldReader,
  text: string | undefined,
  [place, name]: [string, string],
  problems: ProblemList,
): void {
  if (text === undefined) {
    if (reader.required) problems.addAt(faults.missing, [place, name], "null");
    return;
  }
  problems.path.push(place, name);
  const value = reader.text === undefined ? reader.texts?.([text], problems) : reader.text(text, problems);
  problems.path.length = 0;
  if (value !== undefined) reader.assign(draft, value);
}

type BodyReader = (draft: MessageDraft, view: JsonView | undefined, problems: ProblemList) => void;

const emptyObject = JsonView.of("{}");

function bodyReader(input: DescMessage, { body, members, isBodyOptional, strict }: Binding): BodyReader {
  if (body === undefined && members.length === 0) return () => undefined;
  const bound = new Set(members.map(({ name }) => name));
  const readMembers = membersReader(input, members, { bound, strict });
  return (draft, view, problems) => {
    if (view === undefined || view.kind === "null") {
      if (!isBodyOptional) problems.addAt(faults.missing, ["body"], "null");
      else if (body === undefined) readMembers(draft, emptyObject, problems);
      return;
    }
    problems.path.push("body");
    if (body !== undefined) {
      const value = body.json(view, problems);
      if (value !== undefined) body.assign(draft, value);
    } else if (view.kind === "object") {
      readMembers(draft, view, problems);
    } else {
      problems.add(faults.object, view.raw);
    }
    problems.path.length = 0;
  };
}

function decode(segment: string): string {
  return segment.includes("%") ? querystring.unescape(segment) : segment;
}
