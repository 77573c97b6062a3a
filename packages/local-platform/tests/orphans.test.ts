import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";

const infraProgram = fileURLToPath(new URL("../src/infra/servers/main.ts", import.meta.url));

/** Processes that belong to the parts which listen on these ports. */
function partsAt(addresses: string): Promise<number[]> {
  const ports = [...addresses.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => port);
  const ps = spawn("ps", ["-A", "-o", "pid=,args="], { stdio: ["ignore", "pipe", "ignore"] });
  let table = "";
  ps.stdout.on("data", (chunk) => {
    table += chunk;
  });
  return once(ps, "close").then(() =>
    table
      .split("\n")
      .filter((line) => ports.some((port) => line.includes(`--port ${port}`)))
      .map((line) => Number.parseInt(line, 10)),
  );
}

describe("a launcher that is killed with SIGKILL", () => {
  it("leaves no process behind", async () => {
    const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
    const launcher = spawn(process.execPath, [infraProgram], { env, stdio: ["ignore", "pipe", "inherit"] });
    const [said] = await once(launcher.stdout, "data");
    const before = await partsAt(String(said));
    expect(before.length).toBe(1);
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await until(async () => ((await partsAt(String(said))).length === 0 ? true : undefined), {
      withinMs: 20_000,
      everyMs: 200,
      otherwise: () => new Error("mongod outlived its launcher"),
    });
  });
});
