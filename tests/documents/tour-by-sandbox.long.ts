import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform, writeShellVariables } from "@aiplatform/local-platform";
import { offeredSandboxes } from "@aiplatform/serving-runtime/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { neverOverloaded, startsWithinMs } from "../infra/own-platform.ts";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = join(import.meta.dirname, "../..");
const steps = stepsOf(await readFile(join(root, "examples/tour/README.md"), "utf8"));
const handlerStep = steps.findIndex(({ commands }) => commands.includes("handler='export default"));

const { sandboxes } = await offeredSandboxes({});

/** What the step with the handler prints where nothing contains its code. */
const refused = `ResourcesUnavailable: This machine cannot contain the code of a handler: SERVING_SANDBOX is none. …
0: false, 1: false, 2: false, 3: false, 4: false, 5: false, 6: false, 7: true, 8: false, 9: false
`;
const answered = steps[handlerStep]?.shown ?? "";

describe.each([
  { sandbox: "none", outcome: "says why the handler is refused, and serves the model alone", prints: refused },
  { sandbox: "landlock", outcome: "has the handler's answer", prints: answered },
])("the tour where SERVING_SANDBOX is $sandbox", ({ sandbox, outcome, prints }) => {
  const isOffered = sandbox === "none" || sandboxes.some(({ kind }) => kind === sandbox);

  describe.skipIf(!isOffered)("on a machine that offers it", () => {
    const parts = new AsyncDisposableStack();
    let rounds: Followed[];

    beforeAll(async () => {
      const home = await mkdtemp(join(tmpdir(), "platform-"));
      parts.defer(() => rm(home, { recursive: true, force: true }));
      for (const name of ["examples", "node_modules"]) await symlink(join(root, name), join(home, name));
      const directory = join(home, ".local");
      const settings = { gateway: neverOverloaded, deployments: { SERVING_SANDBOX: sandbox } };
      const platform = parts.use(await startPlatform({ directory, trainer: true, settings }));
      await writeShellVariables(directory, platform.description);
      const round = () => follow(steps, { cwd: home, seconds: 200 });
      rounds = [await round(), await round()];
    }, startsWithinMs + 420_000);
    afterAll(() => parts.disposeAsync());

    it("works to its end, and again after cleaning up", () => {
      for (const round of rounds) expect(round).toMatchObject({ code: 0, errors: "" });
    });

    it(outcome, () => {
      for (const { outputs } of rounds) expect(outputs[handlerStep]).toMatch(patternOf(prints));
    });
  });
});
