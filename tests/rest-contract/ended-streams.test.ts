import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { newRun } from "../mesh/new-run.ts";
import { ask, metricsPath } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

describe("a stream of events over REST", () => {
  it("ends when the key that opened it is revoked, and does not end for other keys", async () => {
    const run = { ...platform, ...(await newRun(platform)) };
    const newKey = async () =>
      (await ask(platform, { path: "/platform/api-keys", body: { name: "watches", permission_ids: ["metrics:read"] } }))
        .body;
    const open = async (secret: string) => {
      const headers = { authorization: `Bearer ${secret}`, accept: "text/event-stream" };
      const signal = AbortSignal.timeout(30_000);
      const { body } = await fetch(`${run.gateway}/platform${metricsPath(run)}stream`, { headers, signal });
      const reader = body?.getReader();
      if (!reader) throw new Error("there is no stream");
      await reader.read();
      return reader;
    };
    const [revoked, kept] = [await newKey(), await newKey()];
    const [ending, staying] = [await open(revoked.secret), await open(kept.secret)];
    const path = `/platform/api-keys/${revoked.api_key.id}`;
    expect((await ask(platform, { method: "DELETE", path })).status).toBeLessThan(300);
    let last = "";
    for (let part = await ending.read(); !part.done; part = await ending.read()) {
      last = new TextDecoder().decode(part.value);
    }
    expect(last).toContain("revoked");
    const next = await Promise.race([staying.read(), Promise.resolve("open")]);
    expect(next).toBe("open");
    await staying.cancel();
  });
});
