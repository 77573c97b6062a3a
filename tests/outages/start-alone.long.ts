import type { LocalPlatform } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { until } from "../mesh/rest.ts";

let platform: LocalPlatform;
sharedPlatform((started) => (platform = started), { separate: true });

interface Report {
  dependencies: Record<string, { ok: boolean }>;
}

describe("a process that starts without NATS and without the others", () => {
  const names = ["identity", "training", "content", "deployments", "data", "gateway"] as const;
  const awayOf: Record<string, string[]> = {
    gateway: ["content", "data", "deployments", "identity", "nats", "training"],
  };

  beforeAll(async () => {
    await Promise.all(["nats", ...names].map((name) => platform.kill(name)));
  });
  afterAll(async () => {
    for (const name of ["nats", ...names]) await platform.restart(name);
  }, 60_000);

  it.each(names)("is ready with MongoDB alone: %s", async (name) => {
    await platform.restart(name);
    const look = async () => {
      const response = await fetch(`${platform.adminUrls[name]}/readyz`);
      const { dependencies }: Report = JSON.parse(await response.text());
      const away = Object.keys(dependencies).filter((dependency) => dependencies[dependency]?.ok === false);
      return JSON.stringify([response.status, away.sort()]);
    };
    const expected = JSON.stringify([200, awayOf[name] ?? ["nats"]]);
    await until(`${expected} at ${name}`, 20, look, (seen) => seen === expected);
    await platform.kill(name);
  });
});
