import { describe, expect, it } from "vitest";
import { suggestions } from "./completion.ts";
import { everyCommand, programOf } from "./platformctl.ts";

const program = programOf({
  arguments: [],
  env: {},
  stdout: () => {},
  stderr: () => {},
  isTerminal: false,
  stdin: { isTerminal: false, read: async () => "", ask: async () => "" },
});
const after = (line: string) => suggestions(program, line.split(" "), () => ["home", "work"]);

describe("what may come next", () => {
  it.each([
    ["get-ro", ["get-role"]],
    ["config use", ["use-context"]],
    ["config use-context ", ["home", "work"]],
    ["config use-context work ", []],
    ["config set-context ", []],
    ["--context w", ["work"]],
    ["-o ", ["table", "json", "jsonl", "yaml"]],
    ["list-roles -o y", ["yaml"]],
    ["pause --pipeline p --j", ["--job"]],
    ["completion ", ["bash", "zsh", "fish"]],
    ["no-such-thing", []],
  ])("after %j is %j", (line, expected) => {
    expect(after(line)).toEqual(expected);
  });

  it("is every command at the beginning, without what is for programs", () => {
    expect(after("")).toEqual(expect.arrayContaining(["login", "whoami", "config", "api", "pause", "create-role"]));
    expect(after("").filter((name) => name.startsWith("_"))).toEqual([]);
  });
});

describe("--help", () => {
  const commands = everyCommand(program).filter((command) => command !== program && !command.name().startsWith("__"));

  it("says of every command what it does, and of every argument and option what it is", () => {
    const silent = commands.flatMap((command) => [
      ...(command.summary() ? [] : [command.name()]),
      ...command.options.filter(({ description }) => !description).map(({ flags }) => `${command.name()} ${flags}`),
      ...command.registeredArguments
        .filter(({ description }) => !description)
        .map((each) => `${command.name()} ${each.name()}`),
    ]);
    expect(silent).toEqual([]);
  });

  it("knows no option that one of every command hides", () => {
    const ofAll = new Set(program.options.flatMap(({ long, short }) => [long, short]));
    const hidden = commands.flatMap((command) =>
      command.options.filter(({ long, short }) => ofAll.has(long) || (short && ofAll.has(short))),
    );
    expect(hidden).toEqual([]);
  });

  it("names every option of a command once", () => {
    const doubled = commands.filter(({ options }) => new Set(options.map(({ long }) => long)).size !== options.length);
    expect(doubled.map((command) => command.name())).toEqual([]);
  });
});
