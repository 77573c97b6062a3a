import { Argument, Command, type Option } from "commander";
import { UsageError } from "./exit-codes.ts";

/** What a shell runs to complete a line: the program itself says what may come next. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_platformctl() {
  local IFS=$'\\n'
  COMPREPLY=($(platformctl __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _platformctl platformctl
`,
  zsh: `#compdef platformctl
_platformctl() {
  local -a found
  found=("\${(@f)$(platformctl __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _platformctl platformctl
`,
  fish: `function __platformctl
  set -l words (commandline -opc) (commandline -ct)
  platformctl __complete -- $words[2..-1] 2>/dev/null
end
complete -c platformctl -a '(__platformctl)'
`,
};

/** `completion SHELL`: prints what the shell is to source. */
export function completionCommand(stdout: (text: string) => void): Command {
  const shells = Object.keys(scripts);
  return new Command("completion")
    .summary("print what makes a shell complete command lines")
    .description('Prints what makes a shell complete command lines, such as: eval "$(platformctl completion bash)"')
    .addArgument(new Argument("<shell>", "which shell").choices(shells))
    .action((shell: string) => {
      const script = scripts[shell];
      if (script === undefined) throw new UsageError(`there is no completion for ${shell}`);
      stdout(script);
    });
}

/** `__complete -- WORDS`: what may stand where the last of the words is, a line for each. */
export function suggestingCommand(program: Command, contexts: () => string[], stdout: (text: string) => void): Command {
  return new Command("__complete").argument("[words...]").action((words: string[]) => {
    stdout(
      suggestions(program, words, contexts)
        .map((each) => `${each}\n`)
        .join(""),
    );
  });
}

/** What may stand where the last word is, given what it begins with. */
export function suggestions(program: Command, words: readonly string[], contexts: () => string[]): string[] {
  const last = words.at(-1) ?? "";
  let command = program;
  let valued: Option | undefined;
  let operands = 0;
  for (const word of words.slice(0, -1)) {
    if (valued) valued = undefined;
    else if (word.startsWith("-"))
      valued = optionsOf(program, command).find(
        ({ long, short, required }) => required && (word === long || word === short),
      );
    else {
      const next = command.commands.find((each) => each.name() === word);
      if (next) command = next;
      else operands += 1;
    }
  }
  return possible({ program, command, operands, valued, last, contexts }).filter((each) => each.startsWith(last));
}

interface Place {
  program: Command;
  command: Command;
  /** Arguments that stand before. */
  operands: number;
  /** The option whose value is wanted. */
  valued: Option | undefined;
  last: string;
  contexts: () => string[];
}

function possible({ program, command, operands, valued, last, contexts }: Place): string[] {
  if (valued) return valued.long === "--context" ? contexts() : (valued.argChoices ?? []);
  if (last.startsWith("-")) return optionsOf(program, command).flatMap(({ long }) => long ?? []);
  const names = command.commands.map((each) => each.name()).filter((name) => !name.startsWith("__"));
  if (names.length > 0) return names;
  if (command.parent?.name() === "config" && command.name() !== "set-context") return operands === 0 ? contexts() : [];
  return command.registeredArguments[operands]?.argChoices ?? [];
}

function optionsOf(program: Command, command: Command): Option[] {
  return [...new Set([...command.options, ...program.options])];
}
