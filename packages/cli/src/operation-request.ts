import type { Operation, Parameter } from "@aiplatform/client/operations";
import { UsageError } from "./exit-codes.ts";

/** What is sent. */
export interface OperationRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  /** JSON text, or the bytes of a file. */
  body?: string | Blob;
}

/** What the command line gave: values by the names of the API, and the whole body if that was given instead. */
export interface GivenValues {
  values: Readonly<Record<string, string | string[] | boolean | undefined>>;
  /** JSON text. */
  data?: string | undefined;
}

/** The request that an operation becomes. @throws UsageError for what cannot be sent */
export function requestOf(operation: Operation, { values, data }: GivenValues): OperationRequest {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let path = operation.path;
  for (const { name, in: place } of operation.parameters) {
    for (const value of [values[name] ?? []].flat()) {
      if (place === "path") path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (place === "query") query.append(name, String(value));
      else headers[name.toLowerCase()] = String(value);
    }
  }
  const target = query.size > 0 ? `${path}?${query}` : path;
  const request = { method: operation.method, target, headers };
  const body = bodyOf(operation, { values, data });
  return body === undefined
    ? request
    : { ...request, headers: { ...headers, "content-type": "application/json" }, body };
}

function bodyOf({ body }: Operation, { values, data }: GivenValues): string | undefined {
  if (!body) return undefined;
  const given = data === undefined ? undefined : parsed(data, "--data");
  const fields = body.fields.flatMap((field) => {
    const value = values[field.name];
    return value === undefined ? [] : [[field.name, fieldValue(field, value)]];
  });
  if (fields.length === 0)
    return given === undefined && body.fields.some(({ required }) => required) ? "{}" : (data ?? "{}");
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given)))
    throw new UsageError("--data is not a JSON object, so that no fields can be added to it");
  return JSON.stringify({ ...given, ...Object.fromEntries(fields) });
}

function fieldValue({ name, type }: Omit<Parameter, "in">, value: string | string[] | boolean): unknown {
  if (type === "array") return [value].flat().flatMap((item) => items(String(item), name));
  if (typeof value !== "string") return value;
  if (type === "string") return value;
  return parsed(value, optionOf(name));
}

/** An array as JSON, or one item of it. */
function items(text: string, name: string): unknown[] {
  const isJson = /^\s*[[{]/.test(text);
  const value = isJson ? parsed(text, optionOf(name)) : text;
  return Array.isArray(value) ? value : [value];
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${where} is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/** An option of the command line, from the API's spelling. */
export function optionOf(name: string): string {
  return `--${name.toLowerCase().replaceAll("_", "-")}`;
}

/** The request as a line for a shell; the credential is a variable of it. */
export function curlLine({ method, target, headers, body }: OperationRequest, baseUrl: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const shown = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const parts = [
    "curl -sS",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    '-H "Authorization: Bearer $PLATFORM_API_KEY"',
    ...shown,
  ];
  const sent = typeof body === "string" ? [`-d ${quoted(body)}`] : body === undefined ? [] : ["--data-binary @FILE"];
  return [...parts, ...sent, quoted(new URL(target, baseUrl).href)].join(" ");
}
