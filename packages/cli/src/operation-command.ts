import type { Operation, Parameter } from "@aiplatform/client/operations";
import { Command, Option } from "commander";
import { optionOf } from "./operation-request.ts";
import { canWait } from "./waits.ts";

/** What the options of an operation's command came to. */
export interface OperationOptions {
  values: Record<string, string | string[] | boolean | undefined>;
  /** The body as JSON, `@file`, or `-`; of bytes, `@file`. */
  data?: string | undefined;
  /** The body as a file of YAML or JSON, or `-`. */
  file?: string | undefined;
  /** Every page. */
  all: boolean;
  /** Until what it begins has ended. */
  wait: boolean;
}

/** `createTrainingControlCommand` → `create-training-control-command`. */
function commandName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** The command of an operation: path parameters are arguments, everything else is an option. */
export function operationCommand(operation: Operation, run: (options: OperationOptions) => Promise<void>): Command {
  const command = new Command(commandName(operation.id))
    .summary(operation.summary)
    .description(`${operation.description}\n\n${operation.method} ${operation.path}`);
  const places = operation.parameters.filter(({ in: place }) => place === "path");
  for (const { name, description } of places) command.argument(`<${name}>`, description);
  const flags = [
    ...operation.parameters.filter(({ in: place }) => place !== "path"),
    ...(operation.body?.fields ?? []),
  ];
  for (const parameter of flags) command.addOption(flagOf(parameter));
  if (operation.body) {
    command.option("--data <json>", "the body as JSON, `@file` or `-` for standard input; fields are added to it");
    command.option("-f, --file <path>", "the body as YAML or JSON in a file, or `-`; fields are added to it");
  }
  if (operation.takesBytes) command.requiredOption("--data <@file>", "the file that is sent");
  if (operation.paged) command.option("--all", "every page, not the first alone");
  if (canWait(operation)) command.option("--wait", "until what it begins has ended, well or badly");
  return command.action(async (...given: unknown[]) => {
    const options = command.opts<Record<string, string | string[] | boolean>>();
    const values: OperationOptions["values"] = {};
    places.forEach(({ name }, index) => {
      values[name] = String(given[index]);
    });
    for (const { name } of flags) values[name] = options[attributeOf(name)];
    const { data, file, all, wait } = options;
    await run({ values, data: textOf(data), file: textOf(file), all: all === true, wait: wait === true });
  });
}

function textOf(given: unknown): string | undefined {
  return typeof given === "string" ? given : undefined;
}

function flagOf({ name, description, type }: Pick<Parameter, "name" | "description" | "type">): Option {
  const flag = optionOf(name);
  if (type === "boolean") return new Option(`${flag} [true|false]`, description).preset(true).argParser(readBoolean);
  if (type === "array") return new Option(`${flag} <item>`, `${description} (repeatable)`).argParser(collect);
  return new Option(`${flag} <${type === "object" ? "json" : type}>`, description);
}

function collect(item: string, former: unknown): string[] {
  return [...(Array.isArray(former) ? former : []), item];
}

function readBoolean(text: string | boolean): boolean {
  return text === true || text === "true";
}

/** commander's name of an option. */
function attributeOf(name: string): string {
  return new Option(`${optionOf(name)} <value>`).attributeName();
}
