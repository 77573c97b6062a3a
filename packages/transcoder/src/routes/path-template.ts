/** A segment of a path: a text, or a place that holds one segment, or with `rest` all that are left. */
export type PathSegment = { readonly literal: string } | { readonly place: number; readonly rest?: true };

/** A field in a path, and what its value is made of: texts, and what the places hold. */
export interface PathVariable {
  readonly name: string;
  readonly parts: readonly PathSegment[];
}

/** A path of a contract, taken apart. */
export interface PathTemplate {
  readonly segments: readonly PathSegment[];
  readonly variables: readonly PathVariable[];
  /** Text after a colon at the end; "" without one. */
  readonly verb: string;
  /** As descriptions write it, with a name in braces for each place. */
  readonly described: string;
}

const text = /^[A-Za-z0-9._~-]+$/;
const routePath = /^(?:\/(?:[A-Za-z0-9._~-]+|\{[a-z][a-z0-9_]*\}))+(?:\/\{[a-z][a-z0-9_]*=\*\*\}|\/)?$/;

/**
 * Takes a path of `transcoder.v1.route` apart: texts, fields of one segment, and at the end a field of all that are left. Undefined:
 * it is not one.
 */
export function parseRoutePath(path: string): PathTemplate | undefined {
  if (!routePath.test(path)) return undefined;
  return { ...parseSegments(path), verb: "", described: path.replace("=**}", "}") };
}

/**
 * Takes a path of `google.api.http` apart: also `*`, fields of several segments as in `{name=shelves/*}`, `**` at the end and
 * `:verb`. Undefined: it is not one, or a name in it is not that of a field of the request itself.
 */
export function parseHttpPath(path: string): PathTemplate | undefined {
  const { groups } = /^(?<whole>(?:\/[^:/]+)+\/?)(?::(?<verb>[A-Za-z][A-Za-z0-9_-]*))?$/.exec(path) ?? {};
  if (groups?.["whole"] === undefined) return undefined;
  const verb = groups["verb"] ?? "";
  const parsed = parseSegments(groups["whole"]);
  const isSound = parsed.segments.every(
    (segment, index) =>
      ("place" in segment ? !segment.rest || index === parsed.segments.length - 1 : text.test(segment.literal)) &&
      parsed.variables.every(({ name }) => /^[a-z][a-z0-9_]*$/.test(name)),
  );
  if (!isSound) return undefined;
  return { ...parsed, verb, described: describe(parsed) + (verb === "" ? "" : `:${verb}`) };
}

/** Names of a variable's places in descriptions: the field's name, with a number where it has several. */
export function placeNames({ name, parts }: PathVariable): string[] {
  const places = parts.filter((part) => "place" in part);
  return places.length === 1 ? [name] : places.map((_, index) => `${name}_${index + 1}`);
}

/** What makes the values of a path's variables, in order, from what was found in its places; as encoded as those. */
export function pathValues({ segments, variables }: PathTemplate): (found: readonly string[]) => readonly string[] {
  const places = segments.filter((segment) => "place" in segment).length;
  const isPlain = variables.length === places && variables.every(({ parts }) => parts.length === 1);
  if (isPlain) return (found) => found;
  return (found) =>
    variables.map(({ parts }) =>
      parts.map((part) => ("literal" in part ? part.literal : (found[part.place] ?? ""))).join("/"),
    );
}

/** Splits at the slashes outside of braces. */
function parseSegments(path: string): Pick<PathTemplate, "segments" | "variables"> {
  const segments: PathSegment[] = [];
  const variables: PathVariable[] = [];
  const add = (segment: string): PathSegment => {
    const place = segments.filter((each) => "place" in each).length;
    const added: PathSegment =
      segment === "*" ? { place } : segment === "**" ? { place, rest: true } : { literal: segment };
    segments.push(added);
    return added;
  };
  for (const part of path.slice(1, path.endsWith("/") ? -1 : undefined).match(/\{[^{}]*\}|[^/{}]+|[{}]/g) ?? []) {
    if (!part.startsWith("{") || part === "{") {
      add(part);
      continue;
    }
    const [name = "", ...template] = part.slice(1, -1).split("=");
    const parts = template.length === 0 ? ["*"] : template.join("=").split("/");
    variables.push({ name, parts: parts.map(add) });
  }
  return { segments, variables };
}

function describe({ segments, variables }: Pick<PathTemplate, "segments" | "variables">): string {
  const names = new Map(
    variables.flatMap((variable) => {
      const places = variable.parts.flatMap((part) => ("place" in part ? [part.place] : []));
      const named = placeNames(variable);
      return places.map((place, index) => [place, named[index]] as const);
    }),
  );
  return segments
    .map(
      (segment) =>
        `/${"literal" in segment ? segment.literal : `{${names.get(segment.place) ?? `part_${segment.place + 1}`}}`}`,
    )
    .join("");
}
