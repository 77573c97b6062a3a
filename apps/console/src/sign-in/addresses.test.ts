import { describe, expect, it } from "vitest";
import { addressOfResult } from "../shell/result-address.ts";
import { returnPath } from "./return-path.ts";
import { takeSignInCode } from "./sign-in-code.ts";

describe("the address of a one-time link", () => {
  const take = (hash: string) => {
    const replaced: unknown[] = [];
    const history = { replaceState: (...args: unknown[]) => replaced.push(args[2]) };
    return { code: takeSignInCode({ hash, pathname: "/console/sign-in", search: "" }, history), replaced };
  };

  it("has a code, and loses it at once", () => {
    expect(take("#code=aic_x")).toEqual({ code: "aic_x", replaced: ["/console/sign-in"] });
  });

  it.each(["", "#other=1"])("stays as it is without a code: %s", (hash) => {
    expect(take(hash)).toEqual({ code: undefined, replaced: [] });
  });
});

describe("what a search found", () => {
  it.each([
    ["run", "r", "/platform/pipelines/p/runs/r", "/runs/p/r"],
    ["model", "m", "/platform/models/m", "/models/m"],
    ["deployment", "d", "/platform/deployments/d", "/deployments/d"],
    ["dataset", "s", "/platform/datasets/s", "/data/s"],
    ["automation", "a", "/platform/automations/a", "/automations/a"],
    ["email_draft", "e", "/platform/email-drafts/e", "/drafts/e"],
    ["feature", "f", "/platform/features/a%2Fb", "/features/a%2Fb"],
    ["member", "x", "/platform/members/x", "/people/members/x"],
    ["workspace", "w", "/platform/workspaces/w", "/people/workspaces/w"],
    ["notebook", "n", "/platform/notebooks/n", "/"],
  ])("has a page: a %s", (kind, id, path, address) => {
    expect(addressOfResult({ kind, id, path })).toBe(address);
  });
});

describe("the page to go back to after signing in", () => {
  it.each(["/", "/runs/p/r?job=train", "/runs?filter=name%20%3D%20x#y"])("is a path inside the console: %s", (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "/\t/evil.example/",
    "/.//evil.example/",
    "javascript:alert(1)",
    "runs",
    "//",
    "/sign-in?to=/",
    7,
    undefined,
  ])("is none that leads elsewhere, or back to the sign-in page: %s", (value) => {
    expect(returnPath(value)).toBeUndefined();
  });
});
