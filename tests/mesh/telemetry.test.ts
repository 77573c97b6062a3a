import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, command, metricsPath, until } from "./rest.ts";

let running: LocalPlatform;
sharedPlatform((started) => (running = started));

const adminPage = async (name: string, page: string) => {
  const response = await fetch(`${running.adminUrls[name]}${page}`);
  return { status: response.status, text: await response.text() };
};

describe("the metrics of a process", () => {
  it("count requests at the gateway by method, route and status", async () => {
    await ask(running.description, { path: metricsPath(running.description) });
    const { text } = await adminPage("gateway", "/metrics");
    const lines = text.split("\n").filter((line) => line.startsWith("http_server_request_duration_seconds_count"));
    const counted = lines.filter((line) =>
      line.includes('http_route="/pipelines/{pipeline_id}/runs/{run_id}/metrics/"'),
    );
    expect(counted).toContainEqual(expect.stringContaining('http_response_status_code="200"'));
  });

  it("count calls in the owning service by service, method and code", async () => {
    await command(running.description, "pause");
    const { text } = await adminPage("training", "/metrics");
    expect(text).toMatch(/rpc_server_call_duration_seconds_count\{.*rpc_method="CreateTrainingControlCommand"/);
  });
});

describe("the request id", () => {
  it.each([
    ["taken over when it is safe", "abc-123_x", /^abc-123_x$/],
    ["minted when it is not", "a b", /^[0-9a-f-]{36}$/],
  ])("is %s, and comes back on the answer", async (_, sent, expected) => {
    const { headers } = await ask(running.description, {
      path: metricsPath(running.description),
      headers: { "x-request-id": sent },
    });
    expect(headers.get("x-request-id")).toMatch(expected);
  });
});

describe("readiness", () => {
  it("names NATS while it is away, in services and gateway, which go on being ready", async () => {
    await running.kill("nats");
    const told = (name: string, ok: boolean) =>
      until(
        `${name} to tell that NATS is ${ok ? "there" : "away"}`,
        30,
        () => adminPage(name, "/readyz"),
        ({ text }) => JSON.parse(text).dependencies?.nats?.ok === ok,
      );
    for (const name of ["training", "gateway"]) expect((await told(name, false)).status).toBe(200);
    expect((await adminPage("training", "/livez")).status).toBe(200);
    await running.restart("nats");
    for (const name of ["training", "gateway"]) expect((await told(name, true)).status).toBe(200);
  });
});

describe("what is logged", () => {
  it("holds no credential", async () => {
    const { bearer, api_key } = running.description;
    await ask(running.description, { path: metricsPath(running.description), bearer: "no-such-credential-at-all" });
    const log = await readFile(join(running.directory, "logs", "services.log"), "utf8");
    for (const name of ["gateway", "identity", "training"]) expect(log).toContain(`"service":"${name}"`);
    for (const secret of [bearer, api_key, "no-such-credential-at-all"]) expect(log.includes(secret)).toBe(false);
  });
});
