import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signInProblems as texts } from "../../apps/console/src/sign-in/sign-in-problems.ts";
import { signInProblems } from "../../services/identity/src/sign-in/sign-in-page.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/identity-provider.md"), "utf8");

describe("the problems of signing in", () => {
  it("are those that the console has words for", () => {
    expect(Object.keys(texts).sort()).toEqual([...signInProblems].sort());
  });

  it.each(signInProblems)("are on the page about identity providers: %s", (problem) => {
    expect(page).toContain(`\`${problem}\``);
  });
});
