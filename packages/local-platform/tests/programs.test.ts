import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { mainOf } from "../src/infra/processes/process-plan.ts";
import { bundledPrograms } from "../src/infra/programs/programs.ts";
import { runProgram } from "./run-program.ts";

const fakes = mainOf("packages/local-platform", "src/fakes");
const abroad = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const programs = async () => bundledPrograms({ log: expect.unreachable });

async function run(main: string, env: Record<string, string>) {
  const program = (await programs())(main);
  return runProgram(program.args, { ...program.env, ...env });
}

describe("a bundled program", () => {
  it("names the lines of its sources in a stack trace", async () => {
    const { code, stderr } = await run(fakes, { FAKE: "oidc", OIDC_IDENTITY_FILE: "/dev/null" });
    expect(code).toBe(1);
    expect(stderr).toContain("Unexpected end of JSON input");
    expect(stderr).toMatch(/file:\/\/\S+\/packages\/local-platform\/src\/fakes\/main\.ts:\d+/);
    expect(stderr).not.toMatch(/at .*\.cache/);
  });

  it("says what is wrong with its settings, as from its sources", async () => {
    const { code, stderr } = await run(mainOf("services/training"), {});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Cannot start, 4 settings are wrong: MONGODB_URI is not set/);
  });
});

describe("the bundles of sources that have not changed", () => {
  it("are the same, for two that ask at once as well", async () => {
    const [one, other] = await Promise.all([programs(), programs()]);
    expect(other(fakes)).toEqual(one(fakes));
    expect(one(fakes).args.at(-1)).toMatch(/\.cache\/aiplatform\/[0-9a-f]{16}\/fakes\.js$/);
  });
});

describe("a program that is not bundled", () => {
  it("runs from its source", async () => {
    expect((await programs())(abroad).args.at(-1)).toBe(abroad);
  });
});
