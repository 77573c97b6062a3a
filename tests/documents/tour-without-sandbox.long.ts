import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform, writeShellVariables } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverOverloaded, startsWithinMs } from "../infra/own-platform.ts";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = join(import.meta.dirname, "../..");
const steps = stepsOf(await readFile(join(root, "examples/tour/README.md"), "utf8"));
const handlerStep = steps.findIndex(({ commands }) => commands.includes("handler='export default"));

describe("the tour on a machine that cannot contain the code of handlers", () => {
  const parts = new AsyncDisposableStack();
  let followed: Followed;

  beforeAll(async () => {
    const home = await mkdtemp(join(tmpdir(), "platform-"));
    parts.defer(() => rm(home, { recursive: true, force: true }));
    for (const name of ["examples", "node_modules"]) await symlink(join(root, name), join(home, name));
    const directory = join(home, ".local");
    const settings = { gateway: neverOverloaded, deployments: { SERVING_SANDBOX: "none" } };
    const platform = parts.use(await startPlatform({ directory, trainer: true, settings, separateFakes: true }));
    await writeShellVariables(directory, platform.description);
    followed = await follow(steps, { cwd: home, seconds: 200 });
  }, startsWithinMs + 220_000);
  afterAll(() => parts.disposeAsync());

  it("works to its end", () => {
    expect(followed).toMatchObject({ code: 0, errors: "" });
  });

  it("says why the handler is refused, and serves the model alone", () => {
    const text = `ResourcesUnavailable: This machine cannot contain the code of a handler: SERVING_SANDBOX is none. …
0: false, 1: false, 2: false, 3: false, 4: false, 5: false, 6: false, 7: true, 8: false, 9: false
`;
    expect(followed.outputs[handlerStep]).toMatch(patternOf(text));
  });
});
