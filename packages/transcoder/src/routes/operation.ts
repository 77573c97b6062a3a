import { type Header, HeaderSchema, type Route } from "@aiplatform/contract/transcoder/v1/route";
import { FollowStreamsRequestSchema, FollowStreamsResponseSchema } from "@aiplatform/contract/transcoder/v1/streams";
import { create, type DescField, type DescMethod, type DescService, ScalarType } from "@bufbuild/protobuf";
import { type Area, areaOfPath, areasOf } from "../errors/area.ts";
import { ContractError } from "../errors/contract-error.ts";
import { listDeclaration } from "../lists/list-declaration.ts";
import { isContent, isDocument, isRenderedBody } from "../messages/field-traits.ts";
import { type FieldReader, ReaderCompiler, type ReaderOptions } from "../messages/message-reader.ts";
import { type AnnotatedRoute, routesOf, rpcName } from "./annotations.ts";
import type { PathTemplate } from "./path-template.ts";

/** Query parameter that says where a page begins. */
export const cursorParameter = "cursor";

/** An RPC as it is reached over REST. */
export interface Operation {
  /** Stable name, also the `operationId` of the description. */
  readonly id: string;
  readonly service: DescService;
  readonly method: DescMethod;
  readonly httpMethod: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path as annotated, with `{name}` for a segment that is a field. Of `google.api.http` as descriptions write it. */
  readonly path: string;
  /** Status of a success. */
  readonly status: number;
  /** Whether it answers a stream. */
  readonly streams: boolean;
  /** Whether its body is passed on as it arrives, for as long as that takes. */
  readonly takesStream: boolean;
  readonly route: Route;
}

/** Where each field of an operation's request comes from. */
export interface Binding {
  readonly path: readonly FieldReader[];
  readonly query: readonly FieldReader[];
  readonly headers: readonly { header: Header; reader: FieldReader }[];
  /** Fields that are members of the body object; empty if one field is the body, or there is none. */
  readonly members: readonly FieldReader[];
  /** The field that is the body. */
  readonly body: FieldReader | undefined;
  /** The field that is the body, piece by piece as it arrives. */
  readonly bodyPieces: DescField | undefined;
  /** Whether the body may be absent: a POST without one is a POST of `{}` where every member is optional. */
  readonly isBodyOptional: boolean;
  readonly responseBody: DescField | undefined;
  /** Field of the reply that holds the body as its service has rendered it, where it has. */
  readonly renderedBody: DescField | undefined;
  /** Field of the reply that holds the cursor of the next page. */
  readonly nextCursor: DescField | undefined;
  /** Fields that lead to the id of a server-sent event. */
  readonly eventId: readonly DescField[];
  /** Refuses query parameters and members that are bound to no field. */
  readonly strict: boolean;
}

export interface CompiledOperation {
  readonly operation: Operation;
  readonly template: PathTemplate;
  readonly binding: Binding;
  /** Whose form its failures have. */
  readonly area: Area | undefined;
  /** The binding that finds what only the service would refuse as well, where {@link binding} does not; made when it is asked for. */
  readonly thorough: (() => Binding) | undefined;
}

/** What is known of operations besides the contract. */
export interface CompileOptions extends Pick<ReaderOptions, "refine"> {
  /** Whether an operation refuses what its contract does not know. Default: none does. */
  readonly strict?: ((operation: Operation) => boolean) | undefined;
}

/** Operations of annotated services, in the order of declaration. Throws {@link ContractError}. */
export function compileOperations(
  services: readonly DescService[],
  { refine, strict = () => false }: CompileOptions = {},
): CompiledOperation[] {
  // Who is not strict answers as pydantic does, to the entry: what only the service refuses has no place in that list.
  const lenient = new ReaderCompiler({ refine, listsAdded: false });
  const compilers = {
    lenient,
    strict: new ReaderCompiler({ refine, strict: true }),
    thorough: new ReaderCompiler({ refine }),
  };
  const areas = areasOf(services);
  const reached = services
    .flatMap(({ methods }) => methods)
    .map((method) => ({ method, routes: routesOf(method) }))
    .filter(({ routes }) => routes.length > 0);
  const names = new Map<string, number>();
  for (const { method } of reached) names.set(method.localName, (names.get(method.localName) ?? 0) + 1);
  return reached.flatMap(({ method, routes }) => {
    // A name that two services share is told apart by the service.
    const id = names.get(method.localName) === 1 ? method.localName : `${method.parent.name}_${method.localName}`;
    return routes.map((annotated, index) => {
      const operation = operationOf(method, index === 0 ? id : `${id}_${index + 1}`, annotated);
      const compiler = strict(operation) && !operation.route.ignoresUnknown ? compilers.strict : compilers.lenient;
      const { template } = annotated;
      const thorough = compiler.strict ? undefined : () => bind(operation, template, compilers.thorough);
      const area = areaOfPath(areas, operation.path);
      return { operation, template, binding: bind(operation, template, compiler), area, thorough };
    });
  });
}

const httpMethods = { get: "GET", put: "PUT", post: "POST", delete: "DELETE", patch: "PATCH" } as const;

function operationOf(method: DescMethod, id: string, { route, template }: AnnotatedRoute): Operation {
  const { pattern } = route;
  if (pattern.case === undefined) throw new ContractError("bad_path", rpcName(method), "has a route without a path");
  const { methodKind } = method;
  if (methodKind === "bidi_streaming") {
    throw new ContractError("unsupported_stream", rpcName(method), "has a route, but streams both ways");
  }
  if (route.multiplexes && !canMultiplex(method)) {
    const reason = "multiplexes, but takes no FollowStreamsRequest or answers no stream of FollowStreamsResponse";
    throw new ContractError("unsupported_stream", rpcName(method), reason);
  }
  const status = route.status || 200;
  // 204 and 205 have no body, and every answer here has one. 303 sends a browser on.
  if (status !== 303 && (status < 200 || status > 299 || status === 204 || status === 205)) {
    throw new ContractError("bad_status", rpcName(method), `says ${status} for a success, which has a body`);
  }
  return {
    id,
    service: method.parent,
    method,
    httpMethod: httpMethods[pattern.case],
    path: template.described,
    status,
    streams: methodKind === "server_streaming",
    takesStream: methodKind === "client_streaming",
    route,
  };
}

function canMultiplex({ methodKind, input, output }: DescMethod): boolean {
  return (
    methodKind === "server_streaming" &&
    input.typeName === FollowStreamsRequestSchema.typeName &&
    output.typeName === FollowStreamsResponseSchema.typeName
  );
}

function bind(operation: Operation, { variables }: PathTemplate, compiler: ReaderCompiler): Binding {
  const { method, route: options } = operation;
  const free = new Map(compiler.fields(method.input).map((reader) => [reader.name, reader]));
  const take = (name: string, where: string): FieldReader => {
    const reader = free.get(name);
    if (reader === undefined) {
      const reason = `its ${where} names ${name}, which is no field of ${method.input.typeName} or is bound twice`;
      throw new ContractError("unknown_field", rpcName(method), reason);
    }
    free.delete(name);
    return reader;
  };
  // For its contradictions: they come to light when a transcoder is made.
  listDeclaration(method.input);
  assertAlternatives(method, options);
  const path = variables.map(({ name }) => pathReader(take(name, "path")));
  const headers = options.headers
    .filter(({ field }) => field !== "")
    .map((header) => ({ header, reader: textReader(take(header.field, "headers"), "a header") }));
  const length = options.bodyLength === "" ? [] : [lengthReader(operation, take(options.bodyLength, "body_length"))];
  const bodyPieces = operation.takesStream ? piecesField(operation, take) : undefined;
  const named = new Set(options.query);
  const chosen = options.query.map((name) => take(name, "query"));
  const isField = options.body !== "" && options.body !== "*" && bodyPieces === undefined;
  const body = isField ? take(options.body, "body") : undefined;
  const rest = [...free.values()];
  const query = options.body === "*" ? chosen : [...chosen, ...rest];
  const order = method.input.fields.map(({ name }) => name);
  const inOrder = named.size === 0 ? query : query.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const members = options.body === "*" ? rest : [];
  return {
    path,
    headers: [...headers, ...length],
    query: inOrder.map((reader) => textReader(reader, "the query")),
    members,
    body,
    bodyPieces,
    isBodyOptional: isBodyOptional(operation, body, members),
    responseBody: options.responseBody === "" ? undefined : responseField(method, options.responseBody),
    renderedBody: options.renderedBody === "" ? undefined : renderedField(method, options.renderedBody),
    nextCursor: options.nextCursor === "" ? undefined : cursorField(method, options.nextCursor, query),
    eventId: eventIdPath(method, options.eventId),
    strict: compiler.strict,
  };
}

/** The field that takes the body of a client stream. */
function piecesField(
  { method, route }: Operation,
  take: (name: string, where: string) => FieldReader,
): FieldReader["field"] {
  const field = method.input.fields.find(({ name }) => name === route.body);
  if (field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES) return take(route.body, "body").field;
  throw new ContractError("unsupported_stream", rpcName(method), "has a route and takes a stream, but not of bytes");
}

/** Read as a header, and described nowhere: HTTP has it anyway. */
function lengthReader({ method, takesStream }: Operation, reader: FieldReader): Binding["headers"][number] {
  if (!takesStream)
    throw new ContractError("unsupported_stream", rpcName(method), "has a body_length, but takes no stream");
  return { header: create(HeaderSchema, { name: "Content-Length" }), reader: textReader(reader, "a header") };
}

/** PUT and PATCH carry what is to be: without a body they would be a mistake that empties things. */
function isBodyOptional(
  { httpMethod }: Pick<Operation, "httpMethod">,
  body: FieldReader | undefined,
  members: readonly FieldReader[],
): boolean {
  if (body !== undefined) return body.nullable || body.traits.default !== undefined;
  return httpMethod === "POST" && members.every(({ required }) => !required);
}

function pathReader(reader: FieldReader): FieldReader {
  const { field } = reader;
  const isText = field.fieldKind === "scalar" && reader.text !== undefined && !unfit.has(field.scalar);
  if (!isText)
    throw new ContractError("path_type", field.toString(), "stands in a path, but is neither text nor integer");
  return reader;
}

// double, float, bool, bytes.
const unfit = new Set<number>([1, 2, 8, 12]);

function textReader(reader: FieldReader, where: string): FieldReader {
  if (reader.text === undefined && reader.texts === undefined) {
    throw new ContractError("unbound_field", reader.field.toString(), `is bound nowhere and cannot stand in ${where}`);
  }
  return reader;
}

function responseField(method: DescMethod, name: string): DescField {
  const field = method.output.fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    const reason = `its response_body ${name} is no field of ${method.output.typeName}`;
    throw new ContractError("unknown_field", rpcName(method), reason);
  }
  if (isDocument(field) && method.methodKind !== "unary") {
    throw new ContractError("unsupported_stream", rpcName(method), "answers a document, but streams");
  }
  if (isContent(field) && method.methodKind !== "server_streaming") {
    throw new ContractError("unsupported_stream", rpcName(method), "answers bytes, but does not stream");
  }
  return field;
}

function assertAlternatives(method: DescMethod, { renderedBody, alternatives }: Route): void {
  const refuse = (reason: string) => new ContractError("bad_rendered_body", rpcName(method), reason);
  if (alternatives.length > 0 && renderedBody === "") throw refuse("has alternatives, but no rendered_body");
  const bad = alternatives.find((type) => !mediaType.test(type) || type === "application/json");
  if (bad !== undefined)
    throw refuse(`has an alternative ${bad}, which is no media type in lower case other than JSON`);
}

function renderedField(method: DescMethod, name: string): DescField {
  const refuse = (reason: string) => new ContractError("bad_rendered_body", rpcName(method), reason);
  const field = method.output.fields.find((candidate) => candidate.name === name);
  if (method.methodKind !== "unary") throw refuse("has a rendered body, but streams");
  if (field === undefined) throw refuse(`its rendered_body ${name} is no field of ${method.output.typeName}`);
  if (!isRenderedBody(field)) throw refuse(`its rendered_body ${name} is no transcoder.v1.RenderedBody`);
  return field;
}

function cursorField(method: DescMethod, name: string, query: readonly FieldReader[]): DescField {
  const refuse = (reason: string) => new ContractError("bad_cursor", rpcName(method), reason);
  const field = method.output.fields.find((candidate) => candidate.name === name);
  if (method.methodKind !== "unary") throw refuse("has a next page, but streams");
  if (field === undefined) throw refuse(`its next_cursor ${name} is no field of ${method.output.typeName}`);
  if (!isText(field)) throw refuse(`its next_cursor ${name} is not a string`);
  const parameter = query.find((reader) => reader.name === cursorParameter);
  if (parameter === undefined || !isText(parameter.field)) {
    throw refuse(`has a next page, but no query parameter ${cursorParameter} that is a string`);
  }
  return field;
}

/** A media type without parameters, as `Accept` is compared with it. */
const mediaType = /^[a-z0-9][a-z0-9.+-]{0,63}\/[a-z0-9][a-z0-9.+-]{0,63}$/;

function isText(field: DescField): boolean {
  return field.fieldKind === "scalar" && field.scalar === ScalarType.STRING && field.oneof === undefined;
}

function eventIdPath(method: DescMethod, path: string): DescField[] {
  if (path === "") return [];
  if (method.methodKind !== "server_streaming") {
    throw new ContractError("bad_event_id", rpcName(method), "has an event id, but does not stream");
  }
  let message = method.output as typeof method.output | undefined;
  return path.split(".").map((name) => {
    const field: DescField | undefined = message?.fields.find((candidate) => candidate.name === name);
    if (field === undefined)
      throw new ContractError("bad_event_id", rpcName(method), `its event id ${path} leads nowhere`);
    message = field.fieldKind === "message" ? field.message : undefined;
    return field;
  });
}
