import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectionOf, credentialOf } from "./connection.ts";
import { contextFile, readContexts, writeContexts } from "./context-file.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "contexts-"));
  writeContexts(
    { HOME: home },
    {
      current: "work",
      contexts: {
        work: { url: "https://work.example", credential: "work-key" },
        home: { url: "http://home.example:81/", credential: "home-key" },
      },
    },
  );
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const work = { baseUrl: "https://work.example", credential: "work-key", context: "work" };
const atHome = { baseUrl: "http://home.example:81/", credential: "home-key", context: "home" };

describe("where the platform is, and who calls", () => {
  it.each([
    ["the current context, when nothing is said", {}, {}, work],
    ["the context that an option names", { context: "home" }, {}, atHome],
    ["the context that the environment names", {}, { PLATFORM_CONTEXT: "home" }, atHome],
    ["the option's context before the environment's", { context: "work" }, { PLATFORM_CONTEXT: "home" }, work],
    [
      "the named context before a URL of the environment",
      {},
      { PLATFORM_CONTEXT: "home", PLATFORM_URL: "http://x.example" },
      atHome,
    ],
    [
      "the environment before the current context",
      {},
      { PLATFORM_URL: "http://x.example", PLATFORM_API_KEY: "k" },
      { baseUrl: "http://x.example", credential: "k" },
    ],
    [
      "the environment alone: a URL of its own does not borrow a context's key",
      {},
      { PLATFORM_URL: "http://x.example" },
      { baseUrl: "http://x.example" },
    ],
    [
      "the environment alone: its key does not go to a context's server",
      {},
      { PLATFORM_API_KEY: "k" },
      { baseUrl: "http://127.0.0.1:8080", credential: "k" },
    ],
    [
      "another path of the context's server, with its key",
      { url: "https://work.example/below" },
      {},
      { ...work, baseUrl: "https://work.example/below" },
    ],
    [
      "another server, without the context's key",
      { url: "https://other.example" },
      {},
      { baseUrl: "https://other.example" },
    ],
    [
      "another server, with the environment's key",
      { url: "https://other.example" },
      { PLATFORM_API_KEY: "k" },
      { baseUrl: "https://other.example", credential: "k" },
    ],
  ] as const)("is %s", (_, options, env, expected) => {
    expect(connectionOf(options, { HOME: home, ...env })).toEqual(expected);
  });

  it("is refused when it cannot be", () => {
    const env = { HOME: home };
    expect(() => connectionOf({ context: "none" }, env)).toThrow("there is no context none");
    expect(() => connectionOf({ context: "toString" }, env)).toThrow("there is no context toString");
    expect(() => connectionOf({ url: "ftp://x" }, env)).toThrow("is not an http or https URL");
    expect(() => connectionOf({ apiKeyFile: join(home, "none") }, env)).toThrow("--api-key-file");
    expect(() => credentialOf({ baseUrl: "http://x" })).toThrow("platformctl login");
  });
});

describe("the file of contexts", () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it("is in the XDG place, and only its owner may read it", () => {
    expect(contextFile({ XDG_CONFIG_HOME: "/etc/mine" })).toBe("/etc/mine/platformctl/contexts.json");
    expect(contextFile({ XDG_CONFIG_HOME: "mine", HOME: home })).toBe(join(home, ".config/platformctl/contexts.json"));
    const path = contextFile({ HOME: home });
    expect([modeOf(path), modeOf(dirname(path))]).toEqual([0o600, 0o700]);
  });

  it("is not believed when others may read it, or when it is something else", () => {
    const path = contextFile({ HOME: home });
    chmodSync(path, 0o640);
    expect(() => readContexts({ HOME: home })).toThrow(`chmod 600`);
    chmodSync(path, 0o600);
    for (const text of [
      "",
      "[]",
      '{"contexts":{"a":{}}}',
      '{"contexts":{"a":{"url":"x"}}}',
      '{"current":1,"contexts":{}}',
    ]) {
      writeFileSync(path, text);
      expect(() => readContexts({ HOME: home })).toThrow("correct it or remove it");
    }
  });
});
