import type { DescMessage, Message } from "@bufbuild/protobuf";
import { ContractError } from "./errors/contract-error.ts";
import { secretNames } from "./errors/redaction.ts";
import type { AnswerBody } from "./exchange/exchange.ts";
import { JsonOutput } from "./json/output.ts";
import { WriterCompiler } from "./messages/message-writer.ts";
import { type RequestReader, requestReader } from "./request/reader.ts";
import { type AnswerRenderer, answerRenderer } from "./response/renderer.ts";
import { rpcName } from "./routes/annotations.ts";
import type { Binding, CompiledOperation, Operation } from "./routes/operation.ts";
import { pathValues } from "./routes/path-template.ts";
import { RouteTable } from "./routes/route-table.ts";

/** An operation, ready to be used. */
export interface Handler {
  readonly compiled: CompiledOperation;
  /** Values of the fields in the path, from what was found in its places. */
  readonly segmentsOf: (found: readonly string[]) => readonly string[];
  readonly read: RequestReader;
  /** Finds what `read` leaves to the service, too; undefined where `read` leaves nothing. */
  readonly readThoroughly: RequestReader | undefined;
  readonly write: (message: Message) => AnswerBody;
  readonly render: AnswerRenderer;
  readonly hasBody: boolean;
  /** Names of fields that no error may echo. */
  readonly secrets: ReadonlySet<string>;
  readonly statusOfReason: ReadonlyMap<string, number>;
}

/** The operations by their routes. Throws {@link ContractError} when two have the same one. */
export function routeTable(compiled: readonly CompiledOperation[], documentPolicy: string): RouteTable<Handler> {
  const routes = new RouteTable<Handler>();
  const writers = new WriterCompiler();
  for (const one of compiled) {
    const { operation, template, binding } = one;
    const { method, httpMethod, path } = operation;
    const writeWhole = writers.message(method.output);
    const write = binding.responseBody === undefined ? writeWhole : writers.field(binding.responseBody);
    const writeJson: Handler["write"] = (message) => {
      const output = new JsonOutput();
      write(message, output);
      return output.finish();
    };
    const handler: Handler = {
      compiled: one,
      segmentsOf: pathValues(template),
      read: requestReader(method.input, binding),
      readThoroughly: one.thorough && whenAsked(method.input, one.thorough),
      write: writeJson,
      render: answerRenderer(operation, binding, { write: writeJson, documentPolicy }),
      hasBody: binding.body !== undefined || binding.members.length > 0,
      secrets: operation.route.echoesSecrets ? new Set() : secretNames(method.input),
      statusOfReason: statusesOfReasons(operation),
    };
    if (!routes.add(httpMethod, template, handler)) {
      throw new ContractError("equal_routes", rpcName(method), `another RPC is reached at ${httpMethod} ${path}, too`);
    }
  }
  return routes;
}

/** Statuses that the contract gives to reasons of failures. */
function statusesOfReasons({ method, route }: Operation): ReadonlyMap<string, number> {
  const answers = route.answers.filter(({ reason }) => reason !== "");
  const success = answers.find(({ status }) => status < 400 || status > 599);
  if (success) {
    throw new ContractError(
      "bad_status",
      rpcName(method),
      `answers the failure ${success.reason} with ${success.status}`,
    );
  }
  return new Map(answers.map(({ reason, status }) => [reason, status]));
}

/** Few requests need it: it is compiled with the first of them. */
function whenAsked(input: DescMessage, binding: () => Binding): RequestReader {
  let read: RequestReader | undefined;
  return (parts, problems) => {
    read ??= requestReader(input, binding());
    return read(parts, problems);
  };
}
