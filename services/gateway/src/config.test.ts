import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

const needed = {
  IDENTITY_ADDRESS: "127.0.0.1:1",
  IDENTITY_HTTP_URL: "http://127.0.0.1:2",
  TRAINING_ADDRESS: "127.0.0.1:3",
  TRAINING_HTTP_URL: "http://127.0.0.1:4",
  CONTENT_ADDRESS: "127.0.0.1:6",
  CONTENT_HTTP_URL: "http://127.0.0.1:7",
  DEPLOYMENTS_ADDRESS: "127.0.0.1:8",
  DEPLOYMENTS_HTTP_URL: "http://127.0.0.1:9",
  NATS_URL: "nats://127.0.0.1:5",
  SERVICE_KEY_FILE: "service-key.pem",
  SERVICE_KEYS_FILE: "service-keys.json",
};

describe("the proxies that are trusted", () => {
  it("are none unless they are named", () => {
    expect(readConfig(needed).TRUSTED_PROXIES).toEqual([]);
    expect(readConfig({ ...needed, TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8" }).TRUSTED_PROXIES).toEqual([
      "10.0.0.0/8",
      "fd00::/8",
    ]);
  });

  it.each(["10.0.0.0/33", "load-balancer", "10.0.0.0/8,x", "0.0.0.0/0"])("cannot be %s", (text) => {
    expect(() => readConfig({ ...needed, TRUSTED_PROXIES: text })).toThrow("TRUSTED_PROXIES must be networks");
  });
});

describe("the origins whose pages may use the API", () => {
  it("are none unless they are listed", () => {
    expect(readConfig(needed).CORS_ALLOWED_ORIGINS).toEqual([]);
    const listed = "https://console.example, http://localhost:3000";
    expect(readConfig({ ...needed, CORS_ALLOWED_ORIGINS: listed }).CORS_ALLOWED_ORIGINS).toEqual(listed.split(", "));
  });

  it.each([
    "*",
    "null",
    "console.example",
    "https://*.example",
    "https://a.example/",
    "ftp://a.example",
    "HTTPS://A.example",
  ])("cannot be %s", (text) => {
    expect(() => readConfig({ ...needed, CORS_ALLOWED_ORIGINS: text })).toThrow("must be origins");
  });
});

describe("the limit of failed credentials", () => {
  it("leaves at least one to be tried", () => {
    expect(() => readConfig({ ...needed, FAILED_CREDENTIALS_PER_MINUTE: "1" })).toThrow(
      "FAILED_CREDENTIALS_PER_MINUTE",
    );
  });
});

describe("the path of the console", () => {
  it("is /console/ unless another one is set", () => {
    expect(readConfig(needed).CONSOLE_PATH).toBe("/console/");
    expect(readConfig({ ...needed, CONSOLE_PATH: "/tools/ai/" }).CONSOLE_PATH).toBe("/tools/ai/");
  });

  it.each([
    "/",
    "console",
    "/console",
    "console/",
    "//",
    "/a//b/",
    "/../",
    "/a.b/",
    "/a%20b/",
    "/ä/",
    `/${"a".repeat(99)}/`,
  ])("cannot be %s", (CONSOLE_PATH) => {
    expect(() => readConfig({ ...needed, CONSOLE_PATH })).toThrow(
      /CONSOLE_PATH must be one or more names .* such as \/console\//,
    );
  });

  it.each(["/platform/", "/pipelines/ui/", "/notebooks/x/", "/Docs/", "/automations/"])(
    "cannot be %s, which is below a name that is taken",
    (CONSOLE_PATH) => {
      expect(() => readConfig({ ...needed, CONSOLE_PATH })).toThrow(
        /CONSOLE_PATH must not begin with .* choose another/,
      );
    },
  );
});

describe("the data service, which an installation may do without", () => {
  const installed = { DATA_ADDRESS: "127.0.0.1:10", DATA_HTTP_URL: "http://127.0.0.1:11" };

  it("has both of its addresses, or none", () => {
    expect(readConfig(needed)).toMatchObject({ DATA_ADDRESS: [], DATA_HTTP_URL: undefined });
    expect(readConfig({ ...needed, ...installed }).DATA_ADDRESS).toEqual(["127.0.0.1:10"]);
  });

  it.each(Object.entries(installed))("is not set up by %s alone", (name, value) => {
    expect(() => readConfig({ ...needed, [name]: value })).toThrow("DATA_ADDRESS and DATA_HTTP_URL need each other");
  });
});
