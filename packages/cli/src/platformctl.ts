import { openAsBlob, readFileSync } from "node:fs";
import { type Operation, operationsOfApi } from "@aiplatform/client/operations";
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { apiCommand } from "./api-command.ts";
import { completionCommand, suggestingCommand } from "./completion.ts";
import { confirm, isDestructive } from "./confirmation.ts";
import { configCommand } from "./contexts/config-commands.ts";
import { type ConnectionOptions, connectionOf } from "./contexts/connection.ts";
import { readContexts } from "./contexts/context-file.ts";
import { loginCommand, whoamiCommand } from "./contexts/session-commands.ts";
import { exitCodeOf, exitCodes, UsageError } from "./exit-codes.ts";
import { failureText } from "./failure-text.ts";
import type { Invocation } from "./invocation.ts";
import { jobCommands, jobOperation } from "./job-commands.ts";
import { type OperationOptions, operationCommand } from "./operation-command.ts";
import { curlLine, type OperationRequest, requestOf } from "./operation-request.ts";
import { type OutputFormat, outputFormats, type Writer, writerOf } from "./output.ts";
import { fetched, sendOperation } from "./send-operation.ts";
import { watchCommand } from "./watch/watch-command.ts";
import { jsonOfYaml } from "./yaml-file.ts";

interface GlobalOptions extends ConnectionOptions {
  output?: OutputFormat;
  curl: boolean;
  yes: boolean;
  timeout?: number;
}

/** Runs the command line. Returns the exit status; answers go to standard output, everything else to standard error. */
export async function platformctl(invocation: Invocation): Promise<number> {
  try {
    await programOf(invocation).parseAsync([...invocation.arguments], { from: "user" });
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    invocation.stderr(failureText(error));
    return exitCodeOf(error);
  }
}

/** The tree of commands. */
export function programOf(invocation: Invocation): Command {
  const { env, stdout, stderr } = invocation;
  const program = new Command("platformctl")
    .description("Every operation of the platform's REST API, and the commands of training jobs.")
    .option(
      "--context <name>",
      "the context to use; otherwise PLATFORM_CONTEXT, PLATFORM_URL, or the current context say",
    )
    .option("--url <url>", "the gateway, whatever the context or PLATFORM_URL say")
    .option(
      "--api-key-file <path>",
      "file that holds an API key or access token, whatever the context or PLATFORM_API_KEY say",
    )
    .addOption(new Option("-o, --output <format>", "how answers are written").choices(outputFormats))
    .option("--curl", "print the request as a curl command instead of sending it", false)
    .option("--timeout <seconds>", "give up then, waiting included", readSeconds)
    .option("-y, --yes", "ask nothing before what cannot be taken back", false)
    .showHelpAfterError("(--help tells more)");
  const run = new Run(program, invocation);
  program.hook("preAction", () => run.prepare());
  program.commandsGroup("Contexts and credentials:");
  const parts = { invocation, connection: () => run.connection, print: run.print, signal: () => run.signal };
  program.addCommand(loginCommand(parts)).addCommand(whoamiCommand(parts));
  program.addCommand(configCommand({ ...parts, options: () => run.options, confirmed: run.confirmed }));
  program.commandsGroup("Anything:");
  program.addCommand(apiCommand({ dataOf: run.dataOf, run: run.raw })).addCommand(completionCommand(stdout));
  const contexts = () => Object.keys(readContexts(env).contexts);
  program.addCommand(suggestingCommand(program, contexts, stdout), { hidden: true });
  program.commandsGroup("Training jobs:");
  for (const command of jobCommands((options) => run.operation(operationNamed(jobOperation), options)))
    program.addCommand(command);
  program.addCommand(watchCommand(parts));
  for (const [tag, operations] of Map.groupBy(operationsOfApi(), ({ tag }) => tag)) {
    program.commandsGroup(`${tag}:`);
    for (const operation of operations)
      program.addCommand(operationCommand(operation, (options) => run.operation(operation, options)));
  }
  const hasColours = invocation.isTerminal && !env["NO_COLOR"];
  const output = {
    writeOut: stdout,
    writeErr: stderr,
    getOutHasColors: () => hasColours,
    getErrHasColors: () => hasColours,
  };
  for (const command of everyCommand(program)) command.configureOutput(output).exitOverride();
  return program;
}

/** A command and all below it. */
export function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function operationNamed(id: string): Operation {
  const operation = operationsOfApi().find((each) => each.id === id);
  if (!operation) throw new Error(`the API has no ${id}`);
  return operation;
}

/** One run of the program: what its options come to. */
class Run {
  readonly #program: Command;
  readonly #invocation: Invocation;
  #write: Writer = String;
  #writeEach: Writer = String;
  /** From when on the time runs out. */
  signal: AbortSignal | undefined;

  constructor(program: Command, invocation: Invocation) {
    this.#program = program;
    this.#invocation = invocation;
  }

  get options(): GlobalOptions {
    return this.#program.opts<GlobalOptions>();
  }

  get connection() {
    return connectionOf(this.options, this.#invocation.env);
  }

  /** Before a command is executed. */
  async prepare(): Promise<void> {
    const { isTerminal, env } = this.#invocation;
    const { output = isTerminal ? "table" : "json", timeout } = this.options;
    const coloured = isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
    this.#write = await writerOf(output, { coloured, columns: this.#invocation.columns });
    this.#writeEach = output === "yaml" ? (value) => `---\n${this.#write(value)}` : await writerOf("jsonl");
    if (timeout !== undefined) this.signal = AbortSignal.timeout(timeout * 1_000);
  }

  readonly print = (value: unknown): void => void this.#invocation.stdout(this.#write(value));

  readonly printEach = (value: unknown): void => void this.#invocation.stdout(this.#writeEach(value));

  readonly confirmed = (what: string): Promise<void> =>
    confirm(what, { yes: this.options.yes, stdin: this.#invocation.stdin });

  /** The text that `--data` means. */
  readonly dataOf = async (data: string | undefined): Promise<string | undefined> => {
    if (data === "-") return this.#invocation.stdin.read();
    return data?.startsWith("@") ? fileText(data.slice(1), "--data") : data;
  };

  readonly raw = async (request: OperationRequest): Promise<void> => {
    if (this.#shown(request)) return;
    if (request.method === "DELETE") await this.confirmed(`DELETE ${request.target}`);
    const response = await fetched(request, { connection: this.connection, signal: this.signal });
    const text = await response.text();
    this.#invocation.stdout(text === "" || text.endsWith("\n") ? text : `${text}\n`);
  };

  async operation(operation: Operation, options: OperationOptions): Promise<void> {
    const { values, all, wait } = options;
    const request = operation.takesBytes
      ? { ...requestOf(operation, { values }), body: await fileBytes(options.data ?? "") }
      : requestOf(operation, { values, data: await this.#bodyOf(options) });
    if (this.#shown(request)) return;
    if (isDestructive(operation, values))
      await this.confirmed(`${operation.summary}: ${request.method} ${request.target}`);
    const surroundings = { connection: this.connection, signal: this.signal };
    const written = { print: this.print, printEach: this.printEach, stdout: this.#invocation.stdout };
    await sendOperation({ operation, request, values, all, wait }, surroundings, written);
  }

  async #bodyOf({ data, file }: OperationOptions): Promise<string | undefined> {
    if (file === undefined) return this.dataOf(data);
    if (data !== undefined) throw new UsageError("--data and --file both say what the body is");
    const text = file === "-" ? await this.#invocation.stdin.read() : fileText(file, "--file");
    return jsonOfYaml(text);
  }

  /** Writes the request and answers true when it is to be shown instead of sent. */
  #shown(request: OperationRequest): boolean {
    const { curl } = this.options;
    if (curl) this.#invocation.stdout(`${curlLine(request, this.connection.baseUrl)}\n`);
    return curl;
  }
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds < 1_000_000) return seconds;
  throw new InvalidArgumentError("It is a number of seconds above 0.");
}

/** A file that is read while it is sent. */
async function fileBytes(data: string): Promise<Blob> {
  if (!data.startsWith("@")) throw new UsageError("--data names the file that is sent: @file");
  try {
    return await openAsBlob(data.slice(1));
  } catch (error) {
    throw new UsageError(`--data: ${error instanceof Error ? error.message : error}`);
  }
}

function fileText(path: string, option: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : error}`);
  }
}
