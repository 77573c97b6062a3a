import { existsSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const exclude = (path: string) => /(^|\/)(node_modules|third_party|\.local)(\/|$)/.test(path);
const documents = (await Array.fromAsync(glob("**/*.md", { cwd: root, exclude }))).sort();

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The anchors of a page's headings, as a browser of the repository makes them. */
const headingsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );

/** Language of a page's block of code → what is wrong with the block. */
const faultsOfCode: Readonly<Record<string, (code: string) => Promise<string[]>>> = {
  js: syntaxFaults,
  json: jsonFaults,
  ts: syntaxFaults,
  yaml: async (code) => parseAllDocuments(code).flatMap(({ errors }) => errors.map(({ message }) => message)),
};

async function syntaxFaults(code: string): Promise<string[]> {
  return transform(code, { loader: "ts", format: "esm", logLevel: "silent" }).then(
    () => [],
    (error: Error) => [error.message],
  );
}

async function jsonFaults(code: string): Promise<string[]> {
  try {
    JSON.parse(code);
    return [];
  } catch (error) {
    return [String(error)];
  }
}

describe.each(documents)("%s", (path) => {
  const text = read(path);

  it("links to what exists", () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target.split("#")[0] ?? "");
    const local = links.filter((target) => target !== "" && !/^[a-z]+:/.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(path), target)))).toEqual([]);
  });

  it("links to headings that there are", () => {
    const anchors = [...text.matchAll(/\]\((?<page>[^)\s:#]*\.md|)#(?<heading>[^)\s]+)\)/g)].map(
      ({ groups = {} }) => groups,
    );
    const absent = anchors.filter(({ page = "", heading = "" }) => {
      const target = page === "" ? text : read(join(dirname(path), page));
      return !headingsOf(target).includes(heading);
    });
    expect(absent).toEqual([]);
  });

  it("names only npm scripts that there are", () => {
    const named = [...text.matchAll(/`?npm run (?:-s )?([a-z][a-z0-9:-]*)/g)].map(([, name]) => name ?? "");
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it("shows code that parses", async () => {
    const blocks = [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)];
    const faults = await Promise.all(
      blocks.map(async ([, language = "", code = ""]) => faultsOfCode[language]?.(code)),
    );
    expect(faults.flatMap((found) => found ?? [])).toEqual([]);
  });

  it("runs only files that there are", () => {
    const run = [...text.matchAll(/node ((?:packages|services|examples|tests|scripts)\/\S+?\.[cm]?[jt]s)\b/g)];
    expect(run.map(([, file]) => file ?? "").filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

/** What runs the commands of a page. Left to the reader is what installs for the whole machine, and `npm test` itself. */
const followedBy: Readonly<Record<string, string>> = {
  "README.md": "tests/mesh/npm-start.test.ts",
  "docs/alerts.md": "tests/telemetry/observed-platform.long.ts",
  "docs/api/automations.md": "tests/documents/api-pages.test.ts",
  "docs/api/custom-serving.md": "tests/documents/api-pages.test.ts",
  "docs/api/data-dictionaries.md": "tests/documents/api-pages.test.ts",
  "docs/api/deployments.md": "tests/documents/api-pages.test.ts",
  "docs/api/email-drafts.md": "tests/documents/api-pages.test.ts",
  "docs/api/embeddings.md": "tests/mesh/npm-start-demo.slow.ts",
  "docs/api/feature-memory.md": "tests/documents/api-pages.test.ts",
  "docs/api/lineage.md": "tests/documents/api-pages.test.ts",
  "docs/api/linked-accounts.md": "tests/documents/api-pages.test.ts",
  "docs/api/live-metrics.md": "tests/documents/api-pages.test.ts",
  "docs/api/mlflow.md": "tests/mlflow/client.long.ts",
  "docs/api/notebook-session.md": "tests/documents/api-pages.test.ts",
  "docs/api/roles.md": "tests/documents/api-pages.test.ts",
  "docs/api/streams.md": "tests/documents/api-pages.test.ts",
  "docs/api/trainers.md": "tests/documents/api-pages.test.ts",
  "docs/api/training-commands.md": "tests/documents/api-pages.test.ts",
  "docs/api/workspaces.md": "tests/documents/api-pages.test.ts",
  "docs/first-own-run.md": "tests/documents/first-own-run.slow.ts",
  "docs/identity-provider.md": "tests/documents/identity-provider.long.ts",
  "docs/notebooks.md": "tests/notebooks/notebooks.long.ts",
  "docs/operations/backup.md": "tests/operations/dump.backup.ts",
  "docs/operations/benches.md": "tests/bench/command.long.ts",
  "docs/operations/signatures.md": "tests/supply-chain/signatures.long.ts",
  "docs/start/api-client.md": "tests/client/first-page.test.ts",
  "examples/jupyterhub/README.md": "tests/notebooks/jupyterhub.ts",
  "examples/mnist-trainer/README.md": "tests/documents/trainer-page.test.ts",
  "examples/nightly-automation/README.md": "tests/automations/nightly.long.ts",
  "examples/retrain-automation/README.md": "tests/automations/retrain.long.ts",
  "examples/service-clients/README.md": "tests/interop/service-clients.long.ts",
  "examples/tour/README.md": "tests/documents/tour.slow.ts",
  "k8s/README.md": "tests/manifests/install.cluster.ts",
  "packages/cli/README.md": "tests/client/platformctl.slow.ts",
  "sdks/python/README.md": "tests/python-sdk/readme.long.ts",
  "sdks/python/docs/sweeps.md": "tests/python-sdk/sweeps.long.ts",
};

describe("commands for a shell", () => {
  const shown = documents.filter((path) => /^```(?:sh|bash|console)$/m.test(read(path)));

  it("are shown by pages that a test follows, and by no others", () => {
    expect(shown).toEqual(Object.keys(followedBy).sort());
  });

  it.each(shown)("are followed by a test that there is: %s", (path) => {
    expect(existsSync(join(root, followedBy[path] ?? ""))).toBe(true);
  });
});

describe("the contract's reference", () => {
  it("describes the operations that the README names", () => {
    const { paths } = JSON.parse(read("docs/openapi.json"));
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands",
        "/pipelines/{pipeline_id}/runs/{run_id}/metrics/",
      ]),
    );
  });
});

describe("the page for service teams", () => {
  const text = read("docs/start/service-team.md");

  it.each(["go", "java", "python", "rust"])("shows what the client in %s is generated with", (language) => {
    const shown = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml);
    expect(shown).toContain(read(`examples/service-clients/${language}/buf.gen.yaml`));
  });
});
