import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../mesh/rest.ts";
import { description } from "./description.ts";
import { breakingChanges } from "./rest-changes.ts";

const root = join(import.meta.dirname, "../..");
const releases = join(root, "docs", "releases");
const byVersion = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });
const last = join(releases, readdirSync(releases).toSorted(byVersion).at(-1) ?? "");
const released: Json = JSON.parse(readFileSync(join(last, "openapi.json"), "utf8"));

const runs = "/pipelines/{pipeline_id}/runs/{run_id}/metrics/";
const roles = "/organisations/roles/";

/** Changes of a description, and what is said of each: nothing where callers do not notice. */
const syntheticChanges: [string, (document: Json) => unknown, string[]][] = [
  ["an operation that is gone", ({ paths }) => delete paths[roles].post, ["POST /organisations/roles/: is gone"]],
  ["another path", ({ paths }) => rename(paths, roles, "/roles/"), ["POST /organisations/roles/: is gone"]],
  [
    "another operationId",
    ({ paths }) => Object.assign(paths[roles].post, { operationId: "addRole" }),
    ["POST /organisations/roles/: is called addRole, and not createRole"],
  ],
  [
    "another status of success",
    ({ paths }) => rename(paths[roles].post.responses, "201", "200"),
    ["POST /organisations/roles/: does not answer 201"],
  ],
  [
    "a parameter that is gone",
    ({ paths }) => paths[runs].get.parameters.splice(2, 1),
    ["GET /pipelines/{pipeline_id}/runs/{run_id}/metrics/: query after_sequence is gone"],
  ],
  [
    "a parameter that has to be there",
    ({ paths }) => Object.assign(paths[runs].get.parameters[3], { required: true }),
    ["GET /pipelines/{pipeline_id}/runs/{run_id}/metrics/: query max_points is required"],
  ],
  [
    "a lower bound of a parameter",
    ({ paths }) => Object.assign(paths[runs].get.parameters[3].schema, { maximum: 100 }),
    ["GET /pipelines/{pipeline_id}/runs/{run_id}/metrics/: query max_points has maximum 100"],
  ],
  [
    "a field that has to be sent",
    ({ components }) => components.schemas.CreateModelRequest.required.push("description"),
    ["POST /platform/models: body.description is required"],
  ],
  [
    "a field that is no longer read",
    ({ components }) => delete components.schemas.CreateModelRequest.properties.description,
    ["POST /platform/models: body.description is gone"],
  ],
  [
    "a value that is no longer taken",
    ({ components }) => components.schemas.TrainingControlAction.enum.pop(),
    [
      "POST /pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands: body.action is never abort",
      "POST /platform/job-commands: body.action is never abort",
      "POST /platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/preview: body.action is never abort",
    ],
  ],
  [
    "a field that is no longer answered",
    ({ components }) => delete components.schemas.Permission.properties.rpcs,
    ["GET /platform/permissions: 200[].rpcs is gone"],
  ],
  [
    "a field of another type",
    ({ components }) => Object.assign(components.schemas.Permission.properties.id, { type: "integer" }),
    ["GET /platform/permissions: 200[].id is integer, and not string"],
  ],
  [
    "a field that may be null",
    ({ components }) => {
      const { properties } = components.schemas.Permission;
      properties.id = { anyOf: [properties.id, { type: "null" }] };
    },
    ["GET /platform/permissions: 200[].id may be null"],
  ],
  [
    "a type of free-form JSON that is no longer taken",
    ({ components }) => delete components.schemas.StepTemplate.discriminator.mapping.email,
    ["PUT /platform/automations/{automation_id}/draft: body.steps[].prompt_template.type is never email"],
  ],
  [
    "a member that a type of free-form JSON has to have",
    ({ components }) => components.schemas.PromptStep.required.push("model"),
    ["PUT /platform/automations/{automation_id}/draft: body.steps[].prompt_template of type prompt.model is required"],
  ],
  ["an operation more", ({ paths }) => Object.assign(paths, { "/new": paths[roles] }), []],
  ["a status more", ({ paths }) => Object.assign(paths[roles].post.responses, { 418: {} }), []],
  [
    "a field more that may be sent",
    ({ components }) => Object.assign(components.schemas.CreateModelRequest.properties, { note: { type: "string" } }),
    [],
  ],
  [
    "a field more that is answered",
    ({ components }) => Object.assign(components.schemas.Permission.properties, { note: { type: "string" } }),
    [],
  ],
  ["a value more that is taken", ({ components }) => components.schemas.TrainingControlAction.enum.push("skip"), []],
  ["a wider bound", ({ paths }) => Object.assign(paths[runs].get.parameters[3].schema, { maximum: 10_000 }), []],
];

function rename(map: Json, from: string, to: string): void {
  map[to] = map[from];
  delete map[from];
}

/** Rules that the service enforced at the release, too, and that the description did not say then. No caller notices them. */
const describedSince = [
  "POST /deployments/custom-serving/: body.serving_bundle.artifacts[].path has another pattern",
  "PUT /platform/deployments/{deployment_id}/custom-serving: body.serving_bundle.artifacts[].path has another pattern",
];

/** Breaks that were decided, each with its entry in the changelog. */
const announced = new Map([
  [
    "POST /platform/automations/{automation_id}/publish: header If-Match is new and required",
    "**Publishing an automation needs `If-Match`.**",
  ],
]);

describe("the REST API since the last release", () => {
  it("answers its callers as it did", () => {
    const known = [...announced.keys(), ...describedSince];
    expect(breakingChanges(released, description).toSorted()).toEqual(known.toSorted());
  });

  it.each([...announced])("has a break that the changelog announces: %s", (_, entry) => {
    const [, unreleased = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^## /m);
    expect(unreleased).toContain(entry);
  });

  it.each(syntheticChanges)("is compared so that %s counts for what it is", (_, change, expected) => {
    const changed = structuredClone(description);
    change(changed);
    expect(breakingChanges(description, changed)).toEqual(expected);
  });
});

describe("the RPCs and events since the last release", () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "contract-"));
    for (const part of ["proto", "third_party", "buf.yaml"])
      cpSync(join(root, part), join(copy, part), { recursive: true });
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  const buf = (...args: string[]) => runTool(join(root, "node_modules", ".bin", "buf"), args, 60_000);
  /** What buf finds in the copy, against the last release. */
  const changes = async () => {
    const image = join(copy, "contract.binpb");
    const built = await buf("build", copy, "--output", image);
    if (!built.ok) throw new Error(built.complaint);
    const rules = JSON.stringify({ version: "v2", breaking: { use: ["FILE"] } });
    const { ok, stdout, complaint } = await buf(
      ...["breaking", image, "--against", join(last, "contract.binpb"), "--config", rules],
    );
    return ok ? "" : `${stdout}${complaint}`;
  };

  it("are what they were", async () => {
    expect(await changes()).toBe("");
  });

  it("are compared so that a field that is gone is found", async () => {
    const file = join(copy, "proto/aiplatform/identity/v1/roles.proto");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("  // Unique in the organisation.\n  string slug = 4;\n", ""));
    expect(await changes()).toContain('Previously present field "4" with name "slug" on message "Role" was deleted');
  });
});
