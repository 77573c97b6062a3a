import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

describe("the load benches", () => {
  it("print a table for each claim of speed", async () => {
    const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, [program, "--quick"], { env });
    for (const title of ["Operation 1 (", "From POST to the trainer", "Operation 8,", "Metric points made durable"]) {
      expect(stdout).toContain(title);
    }
    expect(stdout).not.toContain("NaN");
  });
});
