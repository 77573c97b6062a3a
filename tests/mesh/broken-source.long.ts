import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as Programs from "../../packages/local-platform/src/infra/programs/programs.ts";
import { type CopiedRepository, copyRepository } from "../extensibility/copied-repository.ts";

let copy: CopiedRepository;

beforeAll(async () => {
  copy = await copyRepository();
});
afterAll(() => copy[Symbol.asyncDispose]());

describe("npm start, where a source does not parse", () => {
  it("runs the programs from their sources, and says where the mistake is", async () => {
    const source = "services/training/src/errors.ts";
    await copy.write(source, "this is no program");
    const path = join(copy.directory, "packages/local-platform/src/infra/programs/programs.ts");
    const { bundledPrograms }: typeof Programs = await import(path);
    const said: string[] = [];
    const programs = await bundledPrograms({ log: (line) => said.push(line) });
    const main = join(copy.directory, "services/training/src/main.ts");
    expect(programs(main).args.at(-1)).toBe(main);
    expect(said.join("\n")).toMatch(/^the services start from their sources, which takes longer: the build failed/);
    expect(said.join("\n")).toContain(source);
  });
});
