import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/install.mjs";
import { type Job, type Step, workflow, workflowFiles } from "./workflow-files.ts";

/** The jobs whose token may change something, by name. */
const writing = (jobs: Readonly<Record<string, Job>>) =>
  Object.entries(jobs).filter(([, { permissions = {} }]) => Object.values(permissions).includes("write"));

describe.each(workflowFiles)("the workflow of %s", (file) => {
  it("has a token that reads, unless a job says otherwise", async () => {
    expect((await workflow(file)).permissions).toEqual({ contents: "read" });
  });

  it("neither checks out files nor runs code of packages in a job whose token may do more", async () => {
    const steps = writing((await workflow(file)).jobs).flatMap(([, job]) => job.steps);
    const risky = ({ run = "", uses = "" }: Step) =>
      /\b(npm|npx|node)\b|\.ci\//.test(run) || /^(\.|actions\/checkout@|actions\/setup-node@)/.test(uses);
    expect(steps.filter(risky)).toEqual([]);
  });
});

describe("the workflow of each change", () => {
  it("runs the test command on the runner, and in a container of the default profile", async () => {
    const { jobs } = await workflow("ci.yml");
    const testing = Object.values(jobs).filter(({ steps }) => steps.some(({ run }) => run === ".ci/run"));
    expect(testing.map(({ container }) => container)).toEqual([
      undefined,
      { image: expect.stringContaining("@sha256:") },
    ]);
  });

  it("runs the slow tests with the others", async () => {
    expect(await readFile(join(root, ".ci/run"), "utf8")).toMatch(/^exec npm test -- --with-slow$/m);
  });

  it("fails where a sandbox that its machines offer is not tested, which was silent", async () => {
    const { jobs } = await workflow("ci.yml");
    const testing = ({ run }: Step) => run === ".ci/run" || run === "npm run test:all";
    const tested = Object.entries(jobs).map(([name, { container, steps }]) => ({
      ...{ name, expected: steps.find(testing)?.env?.["EXPECTED_SANDBOXES"] },
      // Ordinary users of Ubuntu make no namespaces without it.
      allowed:
        container !== undefined || steps.some(({ run }) => run?.includes("apparmor_restrict_unprivileged_userns=0")),
    }));
    const everyTier = "namespaces, landlock, landlock in a container";
    expect(tested).toEqual([
      { name: "test", expected: everyTier, allowed: true },
      { name: "test-in-container", expected: "landlock, landlock in a container", allowed: true },
      { name: "test-all", expected: everyTier, allowed: true },
    ]);
  });
});

describe("the workflow that makes releases", () => {
  it("has one job that publishes, and signs with the identity of the workflow", async () => {
    const [publish, ...others] = writing((await workflow("release.yml")).jobs);
    expect(publish?.[1].permissions).toEqual({ contents: "write", "id-token": "write" });
    expect(others).toEqual([]);
  });

  it("is the one that the page on signatures has operators name", async () => {
    const page = await readFile(join(root, "docs/operations/signatures.md"), "utf8");
    expect(page).toContain('--certificate-identity "$REPOSITORY/.github/workflows/release.yml@refs/tags/v$VERSION"');
    expect(page).toContain("--certificate-oidc-issuer https://token.actions.githubusercontent.com");
  });
});
