import { describe, expect, it } from "vitest";
import type { ProcessPlan } from "../infra/processes/process-plan.ts";
import { fromSources } from "../infra/programs/programs.ts";
import { failedService, processesOf, type Separate } from "./hosted-plan.ts";

const plan = (name: string): ProcessPlan => ({
  name,
  main: `/${name}/main.ts`,
  env: { NAME: name },
  readyUrls: [`http://${name}/readyz`],
});
const plans = ["fake-oidc", "fake-smtp", "identity", "training", "training-2", "gateway"].map(plan);

describe("the processes of the platform", () => {
  it.each<[Separate, string[]]>([
    [[], ["services"]],
    [["training"], ["services", "training"]],
    [
      ["training", "fake-smtp"],
      ["services", "fake-smtp", "training"],
    ],
    ["services", ["fakes", "identity", "training", "training-2", "gateway"]],
    ["all", ["fake-oidc", "fake-smtp", "identity", "training", "training-2", "gateway"]],
  ])("with %j separate are %j", (separate, names) => {
    expect(processesOf(plans, { separate, programs: fromSources }).map(({ name }) => name)).toEqual(names);
  });

  it("are told of each program that they share: where it is, its settings, and where it says that it is ready", () => {
    const [shared] = processesOf(plans, { separate: ["training", "training-2", "gateway"], programs: fromSources });
    const hosted = ["fake-oidc", "fake-smtp", "identity"];
    expect(shared?.readyUrls).toEqual(hosted.map((name) => `http://${name}/readyz`));
    expect(JSON.parse(shared?.env["PROGRAMS"] ?? "")).toEqual(
      hosted.map((name) => ({ name, main: `/${name}/main.ts`, env: { NAME: name } })),
    );
  });
});

describe("why the process of the services ended", () => {
  const fatal = (service: string, message: string) =>
    JSON.stringify({
      level: 60,
      service,
      err: { message },
      kind: "exception",
      msg: "stopping at once: unhandled error",
    });

  it.each([
    ["the service and the error of its last line", ["{}", fatal("training", 'a "b"')], 'training: a "b"'],
    ["what came after an earlier run", [fatal("training", "a"), fatal("content", "b")], "content: b"],
    ["nothing where no service has failed", ['{"msg":"ready"}', "Killed"], undefined],
  ])("is %s", (_, lines, expected) => {
    expect(failedService(lines)).toBe(expected);
  });
});
