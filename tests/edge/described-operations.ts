import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

// biome-ignore lint/suspicious/noExplicitAny: the document is read as the JSON it is
type Document = any;

const document: Document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));
const methods = ["get", "put", "post", "delete", "patch"];

/** An operation as the API's description has it. */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly hasBody: boolean;
  /** Whether it answers for as long as the client listens. */
  readonly streams: boolean;
  /** What the path takes. */
  readonly inPath: readonly { readonly name: string; readonly isId: boolean; readonly example: string }[];
  /** Members of a failure that has no form of its own. */
  readonly failure: readonly string[];
  /** Form of a success; undefined where it is no JSON. */
  readonly schema: Document;
  /** What the path may be asked with, sorted. */
  readonly allow: string;
}

/** Everything that the description has. */
export const operations: readonly DescribedOperation[] = Object.entries<Document>(document.paths).flatMap(
  ([path, item]) => methods.flatMap((method) => (item[method] ? [described(path, method, item[method])] : [])),
);

function described(path: string, method: string, operation: Document): DescribedOperation {
  const [success = {}] = Object.entries<Document>(operation.responses).flatMap(([status, answer]) =>
    /^2|^303$/.test(status) ? [answer] : [],
  );
  const parameters: Document[] = operation.parameters ?? [];
  return {
    method: method.toUpperCase(),
    path,
    isPublic: operation.security?.length === 0,
    hasBody: operation.requestBody !== undefined,
    failure: membersOf(operation.responses[401]),
    streams: success.content?.["text/event-stream"] !== undefined,
    schema: success.content?.["application/json"]?.schema,
    inPath: parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name, schema }) => ({
        name,
        isId: schema.format === "uuid",
        example: schema.format === "uuid" ? randomUUID() : (schema.enum?.[0] ?? `nothing-${method}`),
      })),
    allow: allowOf(path),
  };
}

/** What the answer of a failure has to have. */
function membersOf(response: Document): readonly string[] {
  const { content } = resolved(response ?? { $ref: "#/components/responses/Unauthorized" });
  return resolved(content["application/json"].schema).required;
}

/** What is behind a reference. */
function resolved(value: Document): Document {
  const [, , kind = "", name = ""] = value.$ref?.split("/") ?? [];
  return value.$ref === undefined ? value : document.components[kind][name];
}

/** A path is the same with another name in it, and with or without a slash at its end. */
function allowOf(path: string): string {
  const plain = (each: string) => each.replace(/\{[^}]*\}/g, "{}").replace(/\/$/, "");
  const items = Object.entries<Document>(document.paths).filter(([each]) => plain(each) === plain(path));
  const taken = items.flatMap(([, item]) => methods.filter((method) => item[method]).map((name) => name.toUpperCase()));
  return sorted([...taken, ...(taken.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", "));
}

/** The items of an `Allow`, in one order. */
export function sorted(allow: string): string {
  return [...new Set(allow.split(", "))].sort().join(", ");
}

/** The operation's path; `chosen` says what stands in it. */
export function filled(
  { path, inPath }: DescribedOperation,
  chosen: (name: string) => string | undefined = () => undefined,
): string {
  return inPath.reduce(
    (done, { name, example }) => done.replace(`{${name}}`, encodeURIComponent(chosen(name) ?? example)),
    path,
  );
}

/** The path in its other form, with or without a slash at its end. */
export function otherForm(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
}

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
};

/** What of a value is not as its schema says: fields that are left out, ids and times in another spelling. */
export function deviations(value: unknown, given: Document, at = "body"): string[] {
  const schema = resolved(given);
  const choice = (schema.anyOf ?? []).map(resolved).find((each: Document) => each.type !== "null");
  if (value === null) return [];
  if (choice) return deviations(value, choice, at);
  if (Array.isArray(value)) return value.flatMap((item, i) => deviations(item, schema.items ?? {}, `${at}[${i}]`));
  if (typeof value === "object") {
    return Object.entries<Document>(schema.properties ?? {}).flatMap(([name, property]) => {
      const own = Object.getOwnPropertyDescriptor(value, name);
      return own ? deviations(own.value, property, `${at}.${name}`) : [`${at}.${name} is left out`];
    });
  }
  const form = formats[schema.format];
  return form && !form.test(String(value)) ? [`${at} is ${value}`] : [];
}
