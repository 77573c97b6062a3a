import querystring from "node:querystring";
import type { Location, Problem } from "../errors/problem-list.ts";
import type { RefusedField } from "../errors/refused-fields.ts";
import type { JsonView } from "../json/view.ts";
import type { Binding } from "../routes/operation.ts";
import type { RequestParts } from "./reader.ts";

type Place = Pick<Problem, "loc" | "input">;

/** Where a field that a service refused stands in the request, and what the request has there. */
export function placeOf({ path }: RefusedField, binding: Binding, parts: RequestParts | undefined): Place {
  const [name] = path;
  const inPath = binding.path.findIndex((reader) => reader.name === name);
  if (inPath >= 0) return { loc: ["path", ...path], input: quoted(decoded(parts?.segments[inPath])) };
  const inQuery = binding.query.find((reader) => reader.name === name);
  if (inQuery !== undefined) {
    const given = querystring.parse(parts?.query ?? "", "&", "=", { maxKeys: 0 })[inQuery.name];
    const last = Array.isArray(given) && inQuery.texts === undefined ? given.at(-1) : given;
    return { loc: ["query", ...path], input: quoted(last) };
  }
  const inHeader = binding.headers.find(({ reader }) => reader.name === name);
  if (inHeader !== undefined) {
    const given = parts?.request.header(inHeader.header.name.toLowerCase());
    return { loc: ["header", inHeader.header.name, ...path.slice(1)], input: quoted(given) };
  }
  const inner = binding.body !== undefined && binding.body.name === name ? path.slice(1) : path;
  return { loc: ["body", ...inner], input: parts?.body === undefined ? undefined : inputAt(parts.body, inner) };
}

function decoded(segment: string | undefined): string | undefined {
  return segment === undefined ? undefined : querystring.unescape(segment);
}

function quoted(text: string | string[] | undefined): string {
  return JSON.stringify(text ?? null);
}

/** The value at a place in the body; of a value that is not there the object around it. */
function inputAt(body: JsonView, path: Location): string {
  let view = body;
  for (const key of path) {
    const next = typeof key === "number" && view.kind === "array" ? view.items()[key] : member(view, String(key));
    if (next === undefined) break;
    view = next;
  }
  return view.raw;
}

function member(view: JsonView, key: string): JsonView | undefined {
  return view.kind === "object" ? view.members([key]).get(key) : undefined;
}
