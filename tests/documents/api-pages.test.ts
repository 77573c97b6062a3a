import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { type Followed, follow, patternOf, stepsOf } from "./followed-page.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "docs/api");
const { paths } = JSON.parse(readFileSync(join(root, "docs/openapi.json"), "utf8"));
const pages = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
const operations = pages.filter(({ text }) => /^# Operation \d+: /.test(text));
const sections = ["Request", "Answer", "Rules", "Errors", "When something fails", "Example", "Related operations"];

describe("the pages of the operations", () => {
  it("are one for each operation of the specification", () => {
    const ofSpecification = Object.entries<object>(paths)
      .filter(([path]) => !path.startsWith("/platform/"))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `\`${method.toUpperCase()} ${path}\``));
    const described = operations.map(({ text }) => text.split("\n")[2]);
    expect(described.toSorted()).toEqual(ofSpecification.toSorted());
  });

  it.each(operations)("have the same sections in the same order: $name", ({ text }) => {
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(sections);
  });

  it("name only paths of the API in their tables", () => {
    const known = new Set(Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, "{}").replace(/\/$/, "")));
    const named = pages.flatMap(({ name, text }) =>
      [...text.matchAll(/`(?:GET|POST|PUT|PATCH|DELETE) (\/[\w{}/-]+?)\/?(?:\?[^`]*)?`/g)].map(([, path = ""]) => ({
        name,
        path,
      })),
    );
    expect(named.filter(({ path }) => !known.has(path.replaceAll(/\{\w+\}/g, "{}")))).toEqual([]);
  });
});

describe("the examples of the pages, beside npm start", () => {
  const others = pages.filter(({ name }) => ["trainers.md", "streams.md", "lineage.md"].includes(name));
  const examples = [...operations, ...others].map(({ name, text }) => ({ name, steps: stepsOf(text) }));
  const followed = new Map<string, Followed>();
  let platform: SharedPlatform;

  sharedPlatform((started) => (platform = started), { trainer: true });
  beforeAll(async () => {
    for (const { name, steps } of examples) {
      followed.set(name, await follow(steps, { cwd: platform.home, seconds: 60 }));
    }
  }, 320_000);

  it.each(examples)("print what the page shows: $name", ({ name, steps }) => {
    expect(steps.map(({ shown }) => typeof shown)).toEqual(["string"]);
    expect(followed.get(name)).toMatchObject({ code: 0, errors: "" });
    for (const [index, { shown = "" }] of steps.entries()) {
      expect(followed.get(name)?.outputs[index]).toMatch(patternOf(shown));
    }
  });
});
