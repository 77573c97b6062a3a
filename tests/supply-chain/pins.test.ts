import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { capture, root } from "../../scripts/install.mjs";

const digest = `sha256:${"a".repeat(64)}`;
const otherDigest = `sha256:${"b".repeat(64)}`;
const commit = "0123456789abcdef0123456789abcdef01234567";

type Files = Readonly<Record<string, string>>;

/** Runs the check on a folder with these files, one of which is the page with the table. */
async function check(rows: readonly string[], files: Files) {
  const folder = mkdtempSync(join(tmpdir(), "pins-"));
  try {
    const page = ["| image | digest | for |", "| --- | --- | --- |", ...rows, ""].join("\n");
    for (const [path, text] of Object.entries({ "docs/operations/images.md": page, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await capture([process.execPath, [join(root, "scripts/check-pins.ts"), folder]]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = (image: string, pinned = `\`${digest}\``) => `| \`${image}\` | ${pinned} | tests |`;
const pinned = `busybox:1.38@${digest}`;

/** Each way to name an image, by its file. */
const namings: readonly [file: string, text: (image: string) => string][] = [
  ["Dockerfile", (image) => `FROM ${image}\n`],
  ["images/tools.Dockerfile", (image) => `ARG BASE_IMAGE=${image}\nFROM \${BASE_IMAGE} AS tools\nFROM tools\n`],
  ["k8s/base/pod.yaml", (image) => `spec:\n  containers:\n    - name: shell\n      image: ${image}\n`],
  ["k8s/overlay/patch.yml", (image) => `patch: [{name: shell, image: "${image}"}]\n`],
  [".github/workflows/ci.yml", (image) => `steps:\n  - uses: docker://${image}\n`],
  ["tests/shell.ts", (image) => `const shell = new GenericContainer("${image}");\n`],
];

describe("an image that has a row with a digest", () => {
  it.each(namings)("may be named with that digest: %s", async (file, text) => {
    expect(await check([row("busybox:1.38")], { [file]: text(pinned) })).toEqual({
      code: 0,
      output: "1 images of others\n",
    });
  });

  it.each(namings)("is refused without a digest: %s", async (file, text) => {
    const { code, output } = await check([row("busybox:1.38")], { [file]: text("busybox:1.38") });
    expect(output).toMatch(
      new RegExp(`${file}:\\d+: busybox:1.38 is not what docs/operations/images.md records; write ${pinned}`),
    );
    expect(code).toBe(1);
  });

  it("is refused with another digest", async () => {
    const { code, output } = await check([row("busybox:1.38")], { Dockerfile: `FROM busybox:1.38@${otherDigest}\n` });
    expect(output).toContain(`write ${pinned}`);
    expect(code).toBe(1);
  });
});

describe("an image that has no row", () => {
  it.each(namings)("is refused: %s", async (file, text) => {
    const { code, output } = await check([], { [file]: text(pinned) });
    expect(output).toContain(`${pinned} has no row in docs/operations/images.md; add one with its digest`);
    expect(code).toBe(1);
  });

  it("is refused without a tag, too", async () => {
    const { code, output } = await check([row("busybox:1.38")], { Dockerfile: "FROM busybox\n" });
    expect(output).toContain("Dockerfile:1: busybox has no row");
    expect(code).toBe(1);
  });
});

describe("the table", () => {
  it("says which images the tag decides about", async () => {
    const { code, output } = await check([row("busybox:1.38", "none")], { Dockerfile: "FROM busybox:1.38\n" });
    expect(output).toBe("1 images of others, by tag alone: busybox:1.38\n");
    expect(code).toBe(0);
  });

  it("has to record a digest that a file names", async () => {
    const { code, output } = await check([row("busybox:1.38", "none")], { Dockerfile: `FROM ${pinned}\n` });
    expect(output).toContain(`records no digest of busybox:1.38; record ${digest}`);
    expect(code).toBe(1);
  });

  it("has no row that nothing needs, and no two of one image", async () => {
    expect((await check([row("busybox:1.38")], {})).output).toContain("nothing names busybox:1.38");
    expect((await check([row("busybox:1.38"), row("busybox:1.38")], {})).output).toContain("two rows; keep one");
  });

  it("is not asked about images of ours", async () => {
    const text = "image: registry.example.com/aiplatform/gateway:0.1.0\n";
    expect((await check([], { "k8s/pod.yaml": text })).code).toBe(0);
  });
});

describe("an action of a workflow", () => {
  const workflow = (action: string) => ({ ".github/workflows/ci.yml": `steps:\n  - uses: ${action}\n` });

  it("is named by its commit, with the version beside it", async () => {
    expect((await check([], workflow(`actions/checkout@${commit} # v7.0.1`))).code).toBe(0);
  });

  it.each(["actions/checkout@v7", "actions/checkout@main", `actions/checkout@${commit}`, "actions/checkout"])(
    "is refused as %s",
    async (action) => {
      const { code, output } = await check([], workflow(action));
      expect(output).toContain(`ci.yml:2: ${action}: name the action by its commit`);
      expect(code).toBe(1);
    },
  );
});
