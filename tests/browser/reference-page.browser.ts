import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ownPlatform } from "../infra/own-platform.ts";

let gateway: string;
ownPlatform(({ description }) => {
  gateway = description.gateway;
});

/** Opens a page in Chromium. Answers the document as it is then, and what the browser wrote to its console. */
async function opened(url: string): Promise<{ document: string; console: string[] }> {
  const profile = await mkdtemp(join(tmpdir(), "browser-"));
  const browser = process.env["CHROMIUM"] ?? "chromium";
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    `--user-data-dir=${profile}`,
    "--enable-logging=stderr",
  ];
  try {
    const { stdout, stderr } = await promisify(execFile)(
      browser,
      [...options, "--virtual-time-budget=10000", "--dump-dom", url],
      { maxBuffer: 64 * 1024 * 1024, timeout: 50_000 },
    );
    return { document: stdout, console: stderr.split("\n").filter((line) => line.includes("CONSOLE")) };
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
}

describe("the interactive reference in a browser", () => {
  it("shows the API's operations by their groups, and its policy refuses nothing that it needs", async () => {
    const { document, console } = await opened(`${gateway}/docs`);
    expect(document).toContain("Backend API of an AI Platform for Business Users");
    for (const tag of ["training", "automations", "deployments", "workspaces"])
      expect(document).toContain(`operations-tag-${tag}`);
    expect(console).toEqual([]);
  });

  it("opens an operation that a link names, with its example", async () => {
    const { document } = await opened(`${gateway}/docs#/organisations/createRole`);
    expect(document).toContain("Creates a custom role in the caller");
    expect(document).toContain("run-supervisor");
  });
});
