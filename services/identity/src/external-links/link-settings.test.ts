import { describe, expect, it } from "vitest";
import { readLinkSettings } from "./link-settings.ts";

const provider = { provider: "socialnet", issuer: "https://social.example", client_id: "us", client_secret: "shh" };
const keys = JSON.stringify([{ id: "first", key: Buffer.alloc(32, 7).toString("base64") }]);
const settings = (providers: unknown) => ({
  EXTERNAL_OAUTH_PROVIDERS: typeof providers === "string" ? providers : JSON.stringify(providers),
  SECRETS_KEYS: keys,
  PUBLIC_URL: "https://platform.example/",
});

describe("the settings of links to accounts elsewhere", () => {
  it("say who the providers are, and where they send browsers back to", () => {
    const { providers, redirectUri, reviewUri } = readLinkSettings(settings([{ ...provider, scopes: ["profile"] }]));
    expect(providers).toMatchObject([{ provider: "socialnet", scopes: ["profile"], allowHttp: false }]);
    expect(redirectUri).toBe("https://platform.example/platform/external-oauth/callback");
    expect(reviewUri).toBe("https://platform.example/platform/external-oauth/authorize");
  });

  it("may all be absent", () => {
    const none = { EXTERNAL_OAUTH_PROVIDERS: undefined, SECRETS_KEYS: undefined, PUBLIC_URL: undefined };
    expect(readLinkSettings(none)).toEqual({ ring: [], providers: [], redirectUri: undefined, reviewUri: undefined });
  });

  it.each<[string, unknown, string]>([
    ["no JSON", "{", "must be JSON"],
    ["no list", {}, "must be a JSON list of providers"],
    ["a name twice", [provider, provider], "names a provider twice"],
    ["a name that no path takes", [{ ...provider, provider: "A b" }], "provider must be 1 to 63 of"],
    ["an unknown field", [{ ...provider, secret: "x" }], "has an unknown field secret"],
    ["no client", [{ ...provider, client_id: "" }], "client_id must be a text"],
    ["plain http", [{ ...provider, issuer: "http://social.example" }], "issuer must be an https URL"],
    ["a password in a URL", [{ ...provider, issuer: "https://a:b@social.example" }], "without a password"],
    ["half of the endpoints", [{ ...provider, token_endpoint: "https://social.example/t" }], "need each other"],
    ["a scope with a blank", [{ ...provider, scopes: ["a b"] }], "texts without blanks"],
  ])("refuse %s, and name no secret", (_what, providers, message) => {
    const read = () => readLinkSettings(settings(providers));
    expect(read).toThrow(message);
    expect(read).not.toThrow("shh");
  });

  it("list everything that providers need and that is missing", () => {
    const alone = { ...settings([provider]), SECRETS_KEYS: undefined, PUBLIC_URL: undefined };
    expect(() => readLinkSettings(alone)).toThrow(/needs SECRETS_KEYS[\s\S]*needs PUBLIC_URL/);
  });
});
