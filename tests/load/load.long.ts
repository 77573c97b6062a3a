import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

describe("the load benches", () => {
  it("print a figure for each claim of speed", async () => {
    const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--quick"], { env });
    for (const title of [
      "operation 1, p50",
      "POST → trainer holds",
      "operation 8, whole",
      "metric points made durable",
    ]) {
      expect(stdout).toContain(title);
    }
    expect(stdout).not.toContain("NaN");
  });
});
