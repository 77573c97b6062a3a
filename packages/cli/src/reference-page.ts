import type { Command, Option } from "commander";
import { programOf } from "./platformctl.ts";

/** The reference of the command line in Markdown, from the tree of its commands. */
export function referencePage(): string {
  const nothing = () => {};
  const stdin = { isTerminal: false, read: async () => "", ask: async () => "" };
  const program = programOf({ arguments: [], env: {}, stdout: nothing, stderr: nothing, isTerminal: false, stdin });
  const groups = Map.groupBy(visible(program), groupOf);
  const parts = [...groups].map(([group, commands]) => `## ${group.replace(/:$/, "")}\n\n${table(commands)}`);
  return `# The command line

Every command of \`platformctl\`, from its \`--help\`. How it is set up, and what its exit status says, is in
[its README](../packages/cli/README.md).

Options of every command:

${program.options.map((option) => `- ${optionText(option)}: ${line(option.description)}`).join("\n")}

${parts.join("\n\n")}
`;
}

function visible(program: Command): Command[] {
  const shown = program.commands.filter((command) => !command.name().startsWith("__"));
  return shown.flatMap((command) => (command.commands.length > 0 ? command.commands : [command]));
}

/** A command below another is where that is. */
function groupOf(command: Command): string {
  return command.helpGroup() || (command.parent ? groupOf(command.parent) : "");
}

function table(commands: readonly Command[]): string {
  const rows = commands.map((command) => {
    const options = command.options.map((option) => optionText(option)).join(", ");
    return `| \`${usage(command)}\` | ${line(command.summary())} | ${options} |`;
  });
  return ["| command | does | options |", "| --- | --- | --- |", ...rows].join("\n");
}

function usage(command: Command): string {
  const group = command.parent?.parent ? `${command.parent.name()} ` : "";
  const operands = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [`${group}${command.name()}`, ...operands].join(" ");
}

const optionText = ({ flags }: Option): string => `\`${flags.replaceAll("|", "\\|")}\``;

/** Text that keeps to its line, and to its cell. */
const line = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
