import { createPrivateKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { secretValues } from "./secret-values.ts";

describe("secrets that are made up", () => {
  it.each([
    "mongodb-password",
    "nats-nkey",
    "replica-set-key",
    "context-signing-key",
    "api-key-hash-secret",
    "delegation-secret",
    "operator-key",
    "secrets-keys",
  ])("are never the same: %s", (key) => {
    expect(secretValues[key]?.()).not.toBe(secretValues[key]?.());
  });

  it("are as long and of the kind that the services want", () => {
    expect(createPrivateKey(secretValues["context-signing-key"]?.() ?? "").asymmetricKeyType).toBe("ed25519");
    expect(secretValues["operator-key"]?.().length).toBeGreaterThanOrEqual(32);
    const [{ key }] = JSON.parse(secretValues["secrets-keys"]?.() ?? "[]");
    expect(Buffer.from(key, "base64")).toHaveLength(32);
  });
});
