import { field as fieldRules } from "@aiplatform/contract/buf/validate/validate";
import {
  type DescField,
  type DescMessage,
  getOption,
  type JsonObject,
  type JsonValue,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Rpc, rpcs } from "../access/contract-rpcs.ts";
import type { Canaries, Sink } from "./canary.ts";

/** What the owner of a field may do with its text: keep it, tell of it, answer it. Logs, traces and metrics are none of it. */
const contentMayAppear: readonly Sink[] = ["answer", "database", "event"];
/** What is in no contract is only echoed to who sent it. */
const unknownMayAppear: readonly Sink[] = ["answer"];

/** Header positions in which clients, proxies and mistakes put secrets, and some that are unknown. */
const headerNames = [
  "cookie",
  "cookie2",
  "proxy-authorization",
  "x-caller-context",
  "x-api-key",
  "x-auth-token",
  "x-csrf-token",
  "x-forwarded-for",
  "x-forwarded-user",
  "x-jupyterhub-token",
  "x-amz-security-token",
  "authentication",
  "signature",
  "baggage",
  "referer",
  "origin",
  "user-agent",
  "from",
  "if-none-match",
  "x-canary",
] as const;

/** Query parameters of no operation in which tokens get lost. */
const queryNames = ["access_token", "api_key", "token", "key", "password", "sig", "unknown"] as const;

/** A canary in each header that is no part of the operation. */
export function canaryHeaders(canaries: Canaries, where: string): Record<string, string> {
  return Object.fromEntries(headerNames.map((name) => [name, canaries.make(`${where}: header ${name}`)]));
}

/** Credentials of every shape that open nothing. */
export function badCredentials(canaries: Canaries, where: string): Record<string, string>[] {
  const make = (what: string) => canaries.make(`${where}: ${what}`);
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
  // In base64 no canary of its claims may be found either: looked for by its disguises.
  const token = `${part({ alg: "ES256", kid: make("kid") })}.${part({ iss: make("iss"), sub: make("sub") })}.${make("signature")}`;
  return [
    { authorization: `Bearer ${make("bearer")}` },
    { authorization: `Bearer ${token}` },
    { authorization: `Basic ${make("basic")}` },
    { authorization: make("authorization without scheme") },
    { "api-key": make("api-key") },
    { authorization: `Bearer aip_${make("key as bearer").replaceAll("-", "")}` },
    { authorization: `Bearer ${make("bearer beside key")}`, "api-key": `aip_${make("key").replaceAll("-", "")}` },
  ];
}

export interface FillOptions {
  readonly canaries: Canaries;
  readonly where: string;
  /** `rest` for what the operations read, `proto` for JSON of protobuf. */
  readonly form: "rest" | "proto";
  /** Whether texts keep to the rules of their field, so that much of it is accepted. */
  readonly plausible: boolean;
  /** What may be done with a secret: nothing, but where the specification has an operation echo what it refuses. */
  readonly secretMayAppear?: readonly Sink[];
  /** Values by field name that make a request meet something that is there. */
  readonly known: Readonly<Record<string, string>>;
}

/** A request message with a canary in every text. */
export function fill(message: DescMessage, options: FillOptions, within: readonly DescMessage[] = []): JsonObject {
  const entries = message.fields
    .filter((field) => !(field.message && within.includes(field.message)))
    .filter((field) => field.oneof === undefined || field === field.oneof.fields[0])
    .map((field): [string, JsonValue] => [field.name, fillField(field, options, [...within, message])]);
  const unknown = options.form === "rest" ? { [`unknown_${message.name.toLowerCase()}`]: unknownText(options) } : {};
  return { ...Object.fromEntries(entries), ...unknown };
}

function unknownText({ canaries, where }: FillOptions): string {
  return canaries.make(`${where}: unknown field`, unknownMayAppear);
}

function fillField(field: DescField, options: FillOptions, within: readonly DescMessage[]): JsonValue {
  if (field.fieldKind === "list") return [fillOne(field, options, within)];
  if (field.fieldKind === "map") return {};
  return fillOne(field, options, within);
}

function fillOne(field: DescField, options: FillOptions, within: readonly DescMessage[]): JsonValue {
  if (field.message) return fillMessage(field.message, field, options, within);
  if (field.enum) return enumWord(field, options);
  if (field.scalar === ScalarType.STRING) return fillText(field, options);
  if (field.scalar === ScalarType.BYTES) return "";
  return field.scalar === ScalarType.BOOL ? false : 1;
}

function fillMessage(
  message: DescMessage,
  field: DescField,
  options: FillOptions,
  within: readonly DescMessage[],
): JsonValue {
  if (message.typeName === "google.protobuf.Timestamp") return "2030-01-01T00:00:00Z";
  if (message.typeName.startsWith("google.protobuf.")) return {};
  if (message.typeName !== "transcoder.v1.JsonObject" && message.typeName !== "transcoder.v1.JsonValue")
    return fill(message, options, within);
  const content = { anything: fillText(field, options) };
  return options.form === "rest" ? content : { text: JSON.stringify(content) };
}

function enumWord({ enum: type }: DescField, { form }: FillOptions): string {
  const value = type?.values[1];
  if (!type || !value) return "";
  return form === "proto" ? value.name : value.name.slice(type.sharedPrefix?.length ?? 0).toLowerCase();
}

/** Longer than any secret may be, and still short enough to be echoed. */
const tooLong = "x".repeat(5_000);

/** A secret field's canary must be found nowhere; in every other, only what the field is for may be done with it. */
function fillText(field: DescField, options: FillOptions): string {
  const { canaries, where, plausible, known, secretMayAppear = [] } = options;
  const given = known[field.name];
  if (plausible && given !== undefined) return given;
  const isSecret = field.proto.options?.debugRedact === true;
  const canary = canaries.make(`${where}: ${field.name}`, isSecret ? secretMayAppear : contentMayAppear);
  if (plausible) return shaped(field, canary);
  return isSecret ? `${canary}${tooLong}` : `x "${canary}" $where`;
}

function shaped(field: DescField, canary: string): string {
  const rules = getOption(field, fieldRules).type;
  const text = rules.case === "repeated" ? rules.value.items?.type : rules;
  const form = text?.case === "string" ? text.value.wellKnown.case : undefined;
  if (form === "email") return `${canary}@example.org`;
  return form === "uri" ? `https://example.org/${canary}` : canary;
}

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The request of an operation: path from its fields, all of them in query and body, and unknown ones beside. */
export function restRequest({ route, method }: Rpc, options: FillOptions): RestRequest {
  if (route?.pattern.case === undefined) throw new Error(`${method.name} has no route`);
  const fields = fill(method.input, options);
  const path = route.pattern.value.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(fields[name])),
  );
  const query = new URLSearchParams();
  for (const name of queryNames) query.append(name, options.canaries.make(`${options.where}: query ${name}`));
  if (route.body === "") {
    for (const { name, scalar } of method.input.fields) if (scalar) query.append(name, String(fields[name]));
  }
  const body = route.body === "" ? "" : JSON.stringify(route.body === "*" ? fields : fields[route.body]);
  return { method: route.pattern.case.toUpperCase(), path: `${path}?${query}`, body };
}

/** Every RPC with a route. */
export const operations = rpcs.filter(({ route }) => route !== undefined);
/** Every RPC but those that the mesh alone calls. */
export const calls = rpcs.filter(({ owner }) => owner === "identity" || owner === "training");
