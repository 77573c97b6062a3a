import { boundariesOf, enforcementText, findSandbox } from "@aiplatform/serving-runtime";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";
import { diagnostics } from "../src/diagnostics.ts";
import { newDeploymentsHome } from "./deployments-rig.ts";
import { containmentHere, DriverRig } from "./driver-rig.ts";

/** What the doctor says of where instances run. */
async function findings(settings: Record<string, string>) {
  const env = { ...newDeploymentsHome(), TRUST_SERVING_CODE: "false", ...settings };
  const check = diagnostics.checks(readConfig(env), env).find(({ name }) => name === "serving");
  return (await check?.run(AbortSignal.timeout(20_000))) ?? [];
}

describe("what the doctor says of the tokens of instances", () => {
  it.each([
    ["clear", "warning", "tokens of instances are stored in clear"],
    ["sealed", "ok", "tokens of instances are stored sealed"],
  ])("with INSTANCE_TOKENS=%s is a %s", async (INSTANCE_TOKENS, state, says) => {
    const env = { ...newDeploymentsHome(), INSTANCE_TOKENS };
    const checks = diagnostics.checks(readConfig(env), env).filter(({ name }) => name === "keys");
    const found = await Promise.all(checks.map((check) => check.run(AbortSignal.timeout(20_000))));
    expect(found.flat()).toContainEqual(expect.objectContaining({ state, says }));
  });
});

describe("what the doctor says of handlers", () => {
  it("names the sandbox that the machine offers, or why it has none", async () => {
    const sandbox = await findSandbox();
    const says =
      sandbox.kind === "none"
        ? `cannot contain the code of handlers: ${sandbox.reason}`
        : `handlers run in a sandbox of ${boundariesOf(sandbox)}`;
    expect((await findings({})).map((finding) => finding.says)).toContainEqual(expect.stringContaining(says));
  });

  it("says that they are refused where the operator wants no sandbox", async () => {
    const says = (await findings({ SERVING_SANDBOX: "none" })).map((finding) => finding.says);
    expect(says).toContainEqual(expect.stringMatching(/SERVING_SANDBOX is none; they are refused$/));
  });

  it("refuses a setting that names no sandbox", () => {
    expect(() => readConfig({ ...newDeploymentsHome(), SERVING_SANDBOX: "gvisor" })).toThrow(
      /SERVING_SANDBOX must be one of auto, namespaces, landlock, none/,
    );
  });
});

describe("what the doctor says of the limits of instances", () => {
  it("is what the service that runs has found out", async () => {
    await using rig = await DriverRig.start(await containmentHere());
    const { enforcement } = rig.driver;
    const says = (await findings({ SERVING_DIRECTORY: rig.directory })).map((finding) => finding.says);
    const without = enforcement.lacks === undefined ? "" : `; without control groups: ${enforcement.lacks}`;
    expect(says).toContain(`limits of instances are held by ${enforcementText(enforcement)}${without}`);
  });

  it("is known once a service runs", async () => {
    const says = (await findings({})).map((finding) => finding.says);
    expect(says).toContain("the service tells what holds instances to their limits once it runs");
  });

  it("has no word for other wishes than the three of the setting", () => {
    expect(() => readConfig({ ...newDeploymentsHome(), SERVING_CONTROL_GROUPS: "yes" })).toThrow(
      /SERVING_CONTROL_GROUPS must be one of auto, required, none/,
    );
  });
});
