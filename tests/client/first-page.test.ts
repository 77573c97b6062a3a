import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Description } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { commandApplied } from "../mesh/rest.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
const blocksOf = (language: string) =>
  [
    ...readFileSync(join(root, "docs/start/api-client.md"), "utf8").matchAll(
      new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"),
    ),
  ].map(([, text = ""]) => text);

let platform: Description;
sharedPlatform(
  ({ description }) => {
    platform = description;
  },
  { trainer: true },
);

describe("what the page for API clients says", () => {
  it("to a program, deploys a model and sees it run", async () => {
    const [snippet = ""] = blocksOf("ts");
    const program = [
      snippet.replace("http://127.0.0.1:8080", platform.gateway),
      "console.log(deployment.status);",
    ].join("\n");
    const env = { ...process.env, PLATFORM_API_KEY: platform.api_key, MODEL: platform.model_id };
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", program];
    const { stdout } = await run(process.execPath, args, { cwd: join(root, "tests"), env, timeout: 50_000 });
    expect(stdout.trim()).toBe("Pending");
  });

  it("of the client, to a program, runs as it stands", async () => {
    const page = readFileSync(join(root, "packages/client/README.md"), "utf8");
    const [, program = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    const { gateway, api_key, model_id, pipeline_id, run_id } = platform;
    const connection = { PLATFORM_URL: gateway, PLATFORM_API_KEY: api_key };
    const env = { ...process.env, ...connection, MODEL: model_id, PIPELINE: pipeline_id, RUN: run_id };
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", program];
    const { stdout } = await run(process.execPath, args, { cwd: join(root, "tests"), env, timeout: 50_000 });
    expect(stdout).toMatch(/^stewards \{[\s\S]*\nSucceeded\n$/);
  });

  it("to a shell, is understood by the platform", async () => {
    const lines = blocksOf("sh").flatMap((block) =>
      block.split("\n").filter((line) => line.startsWith("npm run -s ctl")),
    );
    expect(lines.length).toBeGreaterThan(1);
    const env = {
      ...process.env,
      PLATFORM_URL: platform.gateway,
      PLATFORM_API_KEY: platform.api_key,
      MODEL: platform.model_id,
      PIPELINE: platform.pipeline_id,
      RUN: platform.run_id,
      JOB: platform.job_name,
    };
    const answers: Record<string, unknown>[] = [];
    for (const line of lines) {
      const { stdout } = await run("sh", ["-c", line], { cwd: root, env, timeout: 50_000 });
      answers.push(JSON.parse(stdout));
    }
    expect(answers[0]).toMatchObject({ model_id: platform.model_id, status: "Pending" });
    expect(answers[1]).toMatchObject({ action: "pause", status: "applied" });
    expect(await commandApplied(platform, "resume")).toMatchObject({ status: "applied" });
  });
});
