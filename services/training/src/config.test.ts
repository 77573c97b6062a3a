import { readFileSync } from "node:fs";
import { SettingsError, settingsTable } from "@aiplatform/service-host";
import { describe, expect, it } from "vitest";
import { readConfig, trainingSettings } from "./config.ts";

const needed = {
  MONGODB_URI: "mongodb://localhost/",
  NATS_URL: "nats://localhost:4222",
  SERVICE_KEY_FILE: "service-key.pem",
  SERVICE_KEYS_FILE: "service-keys.json",
};

describe("the settings of training", () => {
  it("need a database and a stream, and default to a quarter of an hour for commands", () => {
    expect(readConfig(needed)).toMatchObject({ COMMAND_EXPIRY_MS: 900_000, MONGODB_DATABASE: "training" });
  });

  it("are refused all at once", () => {
    const read = () => readConfig({ COMMAND_EXPIRY_MS: "soon", SWEEP_INTERVAL_MS: "0" });
    expect(read).toThrow(SettingsError);
    for (const name of ["MONGODB_URI", "NATS_URL", "COMMAND_EXPIRY_MS", "SWEEP_INTERVAL_MS"])
      expect(read).toThrow(name);
  });

  it("stand in the README as they are declared", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    expect(readme).toContain(settingsTable(trainingSettings));
  });
});
