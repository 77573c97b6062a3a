import { readFileSync } from "node:fs";
import { SettingsError, settingsTable } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { identitySettings, readConfig } from "./config.ts";

const needed = {
  MONGODB_URI: "mongodb://127.0.0.1:27017/?replicaSet=rs0",
  NATS_URL: "nats://127.0.0.1:4222",
  SERVICE_KEY_FILE: "service-key.pem",
  SERVICE_KEYS_FILE: "service-keys.json",
  CONTEXT_SIGNING_KEY: "-----BEGIN PRIVATE KEY-----",
  API_KEY_HASH_SECRET: "x".repeat(32),
};

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
  }
  return [];
};

describe("the settings", () => {
  it("need an address of each part, two secrets and the service keys, and nothing else", () => {
    const config = readConfig(needed);
    expect(config).toMatchObject({ MONGODB_DATABASE: "identity", OIDC_ISSUERS: [] });
    expect(config.OPERATOR_KEY).toBeUndefined();
  });

  it("are all complained about at once", () => {
    const names = problemsOf({ OPERATOR_KEY: "short", OIDC_ISSUERS: "[" }).map((problem) => problem.split(" ")[0]);
    expect(names.sort()).toEqual([...Object.keys(needed), "OIDC_ISSUERS", "OPERATOR_KEY"].sort());
  });

  it.each([
    ["API_KEY_HASH_SECRET", "x".repeat(31), "must have at least 32 characters"],
    ["OPERATOR_KEY", "x".repeat(31), "must have at least 32 characters"],
    ["OIDC_ISSUERS", "issuer", "must be JSON"],
    ["OIDC_ISSUERS", '[{"issuer":"http://id.example.com","audience":"a","allow_http":true}]', "must be an https URL"],
    ["JUPYTERHUB_URL", "hub", "must be a URL"],
    ["JUPYTERHUB_URL", "https://hub.example.com/", "whose path is /notebooks"],
    ["JUPYTERHUB_URL", "https://hub.example.com/notebooks/hub", "whose path is /notebooks"],
    ["JUPYTERHUB_URL", "https://me:secret@hub.example.com/notebooks", "whose path is /notebooks"],
    ["JUPYTERHUB_URL", "ftp://hub.example.com/notebooks", "must be an http or https URL"],
    ["JUPYTERHUB_URL", "https://hub.example.com/notebooks", "JUPYTERHUB_API_TOKEN need each other"],
    ["JUPYTERHUB_API_TOKEN", "x", "JUPYTERHUB_API_TOKEN need each other"],
    ["NOTEBOOK_CREDENTIALS", "true", "needs JUPYTERHUB_URL"],
  ])("refuse %s that is invalid", (name, value, message) => {
    const [problem] = problemsOf({ ...needed, [name]: value });
    expect(problem).toContain(name);
    expect(problem).toContain(message);
  });

  const signIn = JSON.stringify([
    { issuer: "https://id.example.com", audience: "a", sign_in: { id: "acme", name: "Acme", client_id: "us" } },
  ]);
  const secrets = '{"acme":"a client secret"}';

  it.each([
    ["without its client secret", { PUBLIC_URL: "https://p.example" }, "needs the client secret of acme"],
    ["where browsers have no sessions", { OIDC_CLIENT_SECRETS: secrets }, "needs PUBLIC_URL"],
    ["over http", { OIDC_CLIENT_SECRETS: secrets, PUBLIC_URL: "http://p.example" }, "needs PUBLIC_URL, over https"],
    ["with a secret of another", { OIDC_CLIENT_SECRETS: '{"acme":"s","globex":"s"}' }, "names globex, which is no id"],
    ["with secrets that are none", { OIDC_CLIENT_SECRETS: "secret text" }, "must be a JSON object"],
  ])("refuse a sign-in %s, and repeat no secret", (_, env, message) => {
    const problems = problemsOf({ ...needed, OIDC_ISSUERS: signIn, ...env }).join("; ");
    expect(problems).toContain(message);
    expect(problems).not.toMatch(/secret text|a client secret/);
  });

  it("take a sign-in with its client secret and the address of browsers", () => {
    expect(
      problemsOf({ ...needed, OIDC_ISSUERS: signIn, OIDC_CLIENT_SECRETS: secrets, PUBLIC_URL: "https://p.example" }),
    ).toEqual([]);
  });

  it("stand in the README as they are declared", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    expect(readme).toContain(settingsTable(identitySettings));
  });
});
