import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const home = join(import.meta.dirname, "..");
const readme = await readFile(join(home, "README.md"), "utf8");

describe("the sources", () => {
  it("export what the page names as public", async () => {
    const index = await readFile(join(home, "src/index.ts"), "utf8");
    const groups = [...index.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, names = ""]) => names);
    const exported = groups.flatMap((names) => [...names.matchAll(/(\w+)(?=\s*(?:,|$))/g)].map(([name]) => name));
    const [, afterHeading = ""] = readme.split("## What is public\n");
    const [section = ""] = afterHeading.split("\n## ");
    const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(named).toEqual(exported.sort());
  });

  it("know no particular domain", async () => {
    const folder = join(home, "src");
    const domain =
      /training|pipeline|deployment|organi[sz]ation|notebook|automation|workspace|dataset|tenant|checkpoint|supervis|provider|aiplatform/i;
    const annotations = /"@aiplatform\/contract\/(?:transcoder|buf|google)\/[^"]+"/g;
    const found: string[] = [];
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith(".ts")) continue;
      const text = (await readFile(join(folder, name), "utf8")).replaceAll(annotations, "");
      if (domain.test(text)) found.push(`${name}: ${domain.exec(text)?.[0]}`);
    }
    expect(found).toEqual([]);
  });
});
