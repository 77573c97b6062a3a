import { describe, expect, it } from "vitest";
import { nodeArguments, runtimeCommand, runtimeProgram } from "./runtime-command.ts";

const given = { directory: "/d", manifestPath: "/m.json", memoryMb: 512, models: false };

describe("an instance's command line", () => {
  it("lets it read its own files and the runtime's, and write nothing", () => {
    const flags = nodeArguments({ ...given, tokenFile: "/t", codePaths: ["/code"] });
    expect(flags.filter((flag) => flag.startsWith("--allow-fs"))).toEqual(
      ["/d", "/m.json", "/t", "/code"].map((path) => `--allow-fs-read=${path}`),
    );
  });

  it("never lets it start a process, and loads addons only for models", () => {
    expect(nodeArguments(given).join(" ")).not.toMatch(/child|addons|wasi|ffi/);
    expect(nodeArguments({ ...given, models: true })).toContain("--allow-addons");
    expect(nodeArguments(given)[0]).toBe("--permission");
  });

  it("ends with the program", () => {
    expect(runtimeCommand(given).at(-1)).toBe(runtimeProgram);
  });
});
