import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/install.mjs";

interface Update {
  readonly "package-ecosystem": string;
  readonly directory?: string;
  readonly directories?: readonly string[];
  readonly schedule: { readonly interval: string };
  readonly groups: Readonly<Record<string, unknown>>;
}

const { updates }: { updates: readonly Update[] } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8"));

const skipped = new Set(["node_modules", ".local", "dist", "gen", "third_party"]);

function foldersWith(pattern: string, content = /./): string[] {
  const files = globSync(pattern, { cwd: root, exclude: (path) => skipped.has(path.split("/").at(-1) ?? "") });
  const found = files.filter((file) => content.test(readFileSync(join(root, file), "utf8")));
  return found.map((file) => join("/", dirname(file)));
}

const publicImage = /^\s*image: (?!aiplatform\/)/m;
/** Ecosystem → the folders with something of it that has to be kept up to date. */
const inTheTree: Readonly<Record<string, readonly string[]>> = {
  npm: foldersWith("**/package-lock.json"),
  pip: foldersWith("**/*.txt", /^[\w.-]+==\S/m),
  uv: foldersWith("**/uv.lock"),
  gomod: foldersWith("**/go.mod"),
  cargo: foldersWith("**/Cargo.toml"),
  maven: foldersWith("**/pom.xml"),
  gradle: foldersWith("**/build.gradle*"),
  docker: [...foldersWith("**/*Dockerfile"), ...foldersWith("k8s/**/*.yaml", publicImage)],
  "github-actions": foldersWith(".github/workflows/*.yml").map(() => "/"),
};

const watched = (ecosystem: string) =>
  updates
    .filter((each) => each["package-ecosystem"] === ecosystem)
    .flatMap(({ directory, directories = [] }) => [...(directory ? [directory] : []), ...directories]);

describe("the bot that proposes updates", () => {
  it.each(Object.entries(inTheTree))("looks at each folder with something of %s", (ecosystem, folders) => {
    expect(watched(ecosystem).toSorted()).toEqual([...new Set(folders)].toSorted());
  });

  it("knows each ecosystem that it is told to look at", () => {
    const told = updates.map((each) => each["package-ecosystem"]);
    expect(told.filter((ecosystem) => !(ecosystem in inTheTree))).toEqual([]);
    expect(new Set(told).size).toBe(told.length);
  });

  it("looks every week, and puts updates together in groups", () => {
    expect(updates.map(({ schedule }) => schedule.interval)).toEqual(updates.map(() => "weekly"));
    expect(updates.filter(({ groups }) => Object.keys(groups ?? {}).length === 0)).toEqual([]);
  });
});
