import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defineSettings, readSettings, SettingsError } from "./read-settings.ts";
import { setting } from "./setting.ts";
import { settingsTable } from "./settings-table.ts";

function assertNoBlank(item: string): void {
  if (item.includes(" ")) throw new Error(`must have no blank in ${item}`);
}

function assertNoColon(secret: string): void {
  if (secret.includes(":")) throw new Error("must have no colon");
}

const settings = defineSettings({
  NAME: setting.text({ default: "x", description: "A name." }),
  LEVEL: setting.text({ default: "low", oneOf: ["low", "high"], description: "A level." }),
  KEY: setting.secretText({ optional: true, minLength: 8, check: assertNoColon, description: "A key." }),
  COUNT: setting.integer({ default: 3, min: 1, max: 10, description: "How many." }),
  PORT: setting.port({ default: 80, description: "A port." }),
  WAIT_MS: setting.duration({ default: 5, description: "A wait." }),
  SITE: setting.url({ optional: true, description: "A site." }),
  HUB: setting.url({ optional: true, path: "/hub", description: "A hub." }),
  PEERS: setting.list({ default: [], check: assertNoBlank, description: "Peers." }),
  RULES: setting.json({ default: 0, parse: (value) => Number(value), description: "Rules." }),
  ON: setting.flag({ default: false, description: "A switch." }),
});

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(settings, env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
}

describe("a setting that is set", () => {
  it.each([
    ["NAME", "y", "y"],
    ["LEVEL", "high", "high"],
    ["KEY", "12345678", "12345678"],
    ["COUNT", "10", 10],
    ["PORT", "0", 0],
    ["WAIT_MS", "250", 250],
    ["SITE", "http://a.example/b", "http://a.example/b"],
    ["HUB", "https://a.example/hub/", "https://a.example/hub/"],
    ["PEERS", "a:1, b:2", ["a:1", "b:2"]],
    ["RULES", "7", 7],
    ["ON", "true", true],
  ])("%s=%s is read as %j", (name, text, value) => {
    expect(readSettings(settings, { [name]: text })).toHaveProperty(name, value);
  });

  it.each([
    ["LEVEL", "middling", "LEVEL must be one of low, high"],
    ["KEY", "short", "KEY must have at least 8 characters"],
    ["KEY", "name:password", "KEY must have no colon"],
    ["COUNT", "1e1", "COUNT must be a whole number"],
    ...["https://a.example/hub/b", "https://me:x@a.example/hub", "https://a.example/hub?b", "ftp://a.example/hub"].map(
      (url) => ["HUB", url, "HUB must be an http or https URL whose path is /hub, such as https://host.example/hub"],
    ),
    ["COUNT", "3.0", "COUNT must be a whole number"],
    ["COUNT", "0x1", "COUNT must be a whole number"],
    ["COUNT", "11", "COUNT must be between 1 and 10"],
    ["COUNT", "99999999999999999999", "COUNT must be a whole number"],
    ["PORT", "65536", "PORT must be between 0 and 65535"],
    ["WAIT_MS", "-1", "WAIT_MS must be between 0 and 9007199254740991"],
    ["SITE", "a.example", "SITE must be a URL"],
    ["PEERS", "a:1,,b:2", "PEERS must not have an empty item"],
    ["PEERS", "a:1,b 2", "PEERS must have no blank in b 2"],
    ["RULES", "{", "RULES must be JSON"],
    ["ON", "yes", "ON must be true or false"],
  ])("%s=%s is a mistake", (name, text, problem) => {
    expect(problemsOf({ [name]: text })).toEqual([problem]);
  });
});

describe("a setting that is not set", () => {
  it("has its default, or is undefined when it is optional", () => {
    const expected = { NAME: "x", COUNT: 3, PEERS: [], ON: false, KEY: undefined, SITE: undefined };
    expect(readSettings(settings, {})).toMatchObject(expected);
  });

  it("counts as not set when its text is empty", () => {
    expect(readSettings(settings, { COUNT: "" }).COUNT).toBe(3);
  });

  it("is a mistake that says what it is for when it has neither", () => {
    const required = defineSettings({ URI: setting.secretText({ description: "Where the data is." }) });
    expect(() => readSettings(required, {})).toThrow("URI is not set (secret): Where the data is.");
  });
});

describe("several mistakes", () => {
  it("are reported together", () => {
    expect(problemsOf({ COUNT: "many", PORT: "-1", ON: "1" })).toHaveLength(3);
  });
});

describe("a secret", () => {
  it("is read from the file that NAME_FILE names, without its last line end", () => {
    const file = join(mkdtempSync(join(tmpdir(), "settings-")), "key");
    writeFileSync(file, "from-a-file\n");
    expect(readSettings(settings, { KEY_FILE: file }).KEY).toBe("from-a-file");
  });

  it("given twice is a mistake, and so is a file that cannot be read", () => {
    expect(problemsOf({ KEY: "12345678", KEY_FILE: "/x" })).toEqual(["KEY is set twice, also by KEY_FILE"]);
    expect(problemsOf({ KEY_FILE: "/nowhere" })[0]).toContain("ENOENT");
  });

  it("never appears in a message", () => {
    expect(problemsOf({ KEY: "s3cr3t" }).join()).not.toContain("s3cr3t");
  });
});

describe("the table of settings", () => {
  it("has a row for each, with kind, default and sentence", () => {
    expect(settingsTable(settings).split("\n").slice(2)).toEqual([
      "| `NAME` | text | `x` | A name. |",
      "| `LEVEL` | text | `low` | A level. |",
      "| `KEY` or `KEY_FILE` | secret | unset | A key. |",
      "| `COUNT` | integer | `3` | How many. |",
      "| `PORT` | port | `80` | A port. |",
      "| `WAIT_MS` | milliseconds | `5` | A wait. |",
      "| `SITE` | URL | unset | A site. |",
      "| `HUB` | URL | unset | A hub. |",
      "| `PEERS` | list | empty | Peers. |",
      "| `RULES` | JSON | `0` | Rules. |",
      "| `ON` | flag | `false` | A switch. |",
    ]);
  });
});
