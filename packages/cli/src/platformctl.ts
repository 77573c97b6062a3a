import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  createPlatformClient,
  isReplayable,
  type Operation,
  operationsOfApi,
  type PlatformClient,
  PlatformError,
  repeatingFetch,
  serverEvents,
} from "@aiplatform/client";
import { Command, CommanderError, Option } from "commander";
import { exitCodeOf, exitCodes, UsageError } from "./exit-codes.ts";
import { jobCommands } from "./job-commands.ts";
import { type OperationOptions, operationCommand } from "./operation-command.ts";
import { curlLine, type OperationRequest, requestOf } from "./operation-request.ts";
import { type OutputFormat, outputFormats, written } from "./output.ts";

/** What the program needs of its process. */
export interface Invocation {
  arguments: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  /** Whether somebody looks at what is written. */
  isTerminal: boolean;
}

interface GlobalOptions {
  url: string;
  apiKeyFile?: string;
  output?: OutputFormat;
  curl: boolean;
}

/** Runs the command line. Answers the exit status; answers go to standard output, everything else to standard error. */
export async function platformctl(invocation: Invocation): Promise<number> {
  const program = programOf(invocation);
  try {
    await program.parseAsync([...invocation.arguments], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    invocation.stderr(`${sentenceOf(error)}\n`);
    return exitCodeOf(error);
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof PlatformError && error.requestId
    ? `${error.message} (request ${error.requestId})`
    : error.message;
}

function programOf(invocation: Invocation): Command {
  const { env, stdout, stderr } = invocation;
  const program = new Command("platformctl")
    .description("Every operation of the platform's REST API, and the commands of training jobs.")
    .option("--url <url>", "the gateway; otherwise PLATFORM_URL says", env["PLATFORM_URL"] ?? "http://127.0.0.1:8080")
    .option("--api-key-file <path>", "file that holds an API key or access token; otherwise PLATFORM_API_KEY does")
    .addOption(new Option("-o, --output <format>", "how answers are written").choices(outputFormats))
    .option("--curl", "print the request as a curl command instead of sending it", false)
    .showHelpAfterError("(--help tells more)");
  const format = () => program.opts<GlobalOptions>().output ?? (invocation.isTerminal ? "table" : "json");
  const print = (value: unknown) => stdout(written(value, format()));
  const connected = () => ({ baseUrl: program.opts<GlobalOptions>().url, credential: credentialOf(program, env) });
  const platform = (): PlatformClient => createPlatformClient(connected());
  const shown = (request: OperationRequest) => {
    const { curl, url } = program.opts<GlobalOptions>();
    if (curl) stdout(`${curlLine(request, url)}\n`);
    return curl;
  };
  program.commandsGroup("Training jobs:");
  for (const command of jobCommands({ platform, print, shown })) program.addCommand(command);
  for (const [tag, operations] of byTag()) {
    program.commandsGroup(tag === "extension" ? "Beyond the specification:" : `${tag}:`);
    for (const operation of operations) {
      const run = async (options: OperationOptions) => {
        const request = requestOf(operation, { ...options, data: dataOf(options.data) });
        if (!shown(request)) await send({ operation, request, all: options.all }, connected(), { print, stdout });
      };
      program.addCommand(operationCommand(operation, run));
    }
  }
  const configureOutput = { writeOut: stdout, writeErr: stderr };
  for (const command of [program, ...program.commands]) command.configureOutput(configureOutput).exitOverride();
  return program;
}

function byTag(): Map<string, Operation[]> {
  return Map.groupBy(operationsOfApi(), ({ tag }) => tag);
}

function credentialOf(program: Command, env: Invocation["env"]): string {
  const { apiKeyFile } = program.opts<GlobalOptions>();
  const credential = apiKeyFile === undefined ? env["PLATFORM_API_KEY"] : readFileSync(apiKeyFile, "utf8").trim();
  if (!credential) throw new UsageError("no credential: set PLATFORM_API_KEY, or give --api-key-file");
  return credential;
}

function dataOf(data: string | undefined): string | undefined {
  if (data === "-") return readFileSync(0, "utf8");
  return data?.startsWith("@") ? readFileSync(data.slice(1), "utf8") : data;
}

interface Connected {
  baseUrl: string;
  credential: string;
}

interface Sent {
  operation: Operation;
  request: OperationRequest;
  all: boolean;
}

interface Written {
  print: (value: unknown) => void;
  stdout: (text: string) => void;
}

async function send(
  { operation, request, all }: Sent,
  connected: Connected,
  { print, stdout }: Written,
): Promise<void> {
  const key = isReplayable(operation) ? { "idempotency-key": randomUUID() } : {};
  const call = (target: string, headers: Record<string, string> = {}) =>
    fetched({ ...request, target, headers: { ...key, ...request.headers, ...headers } }, connected);
  if (operation.streams) {
    const open = (lastEventId: string) =>
      call(request.target, { accept: "text/event-stream", ...(lastEventId && { "last-event-id": lastEventId }) });
    for await (const { data } of serverEvents(open)) stdout(`${JSON.stringify(data)}\n`);
    return;
  }
  if (!operation.json) return stdout(await (await call(request.target)).text());
  const items: unknown[] = [];
  for (let target: string | undefined = request.target; target; ) {
    const response: Response = await call(target);
    const body: unknown = await response.json();
    if (!all || !Array.isArray(body)) return print(body);
    items.push(...body);
    target = nextPage(response);
  }
  print(items);
}

async function fetched(
  { method, target, headers, body }: OperationRequest,
  { baseUrl, credential }: Connected,
): Promise<Response> {
  const authorized = { ...headers, authorization: `Bearer ${credential}` };
  const request = new Request(new URL(target, baseUrl), { method, headers: authorized, body: body ?? null });
  const response = await repeatingFetch()(request);
  if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined));
  return response;
}

/** Path and query of the next page, as `Link` says. */
function nextPage({ headers, url }: Response): string | undefined {
  const [, target] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, url);
  return pathname + search;
}
