import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { follow } from "../documents/followed-page.ts";
import { type SharedPlatform, sharedPlatform } from "../infra/shared-platform.ts";
import { commandApplied } from "../mesh/rest.ts";

const root = join(import.meta.dirname, "../..");

/** The first block of a page in that language. */
function blockOf(path: string, language: string): string {
  const page = readFileSync(join(root, path), "utf8");
  const [, text = ""] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return text;
}

let platform: SharedPlatform;
sharedPlatform(
  (shared) => {
    platform = shared;
  },
  { trainer: true },
);

/** What a program prints that has what a shell has after `. .local/platform.env`. */
async function printedBy(program: string): Promise<string> {
  const stored = parseEnv(readFileSync(join(platform.home, ".local/platform.env"), "utf8"));
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", program];
  const options = { cwd: join(root, "tests"), env: { ...process.env, ...stored }, timeout: 50_000 };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

describe("what the page for API clients says", () => {
  it("to a program, deploys a model and sees it run", async () => {
    const program = `${blockOf("docs/start/api-client.md", "ts")}console.log(deployment.status);`;
    expect((await printedBy(program)).trim()).toBe("Pending");
  });

  it("of the client, to a program, runs as it stands", async () => {
    const printed = await printedBy(blockOf("packages/client/README.md", "ts"));
    expect(printed).toMatch(/^stewards \{[\s\S]*\nSucceeded\n$/);
  });

  it("to a shell, gives the stored key to the command line, which prints the answer alone: npm's lines came before it", async () => {
    const [source = "", ...commands] = blockOf("docs/start/api-client.md", "sh").trim().split("\n");
    expect(commands.length).toBeGreaterThan(1);
    const steps = [source, ...commands].map((line) => ({ commands: line, shown: undefined }));
    const { PATH, HOME } = process.env;
    // npm warns of settings that it does not know in the user's own file.
    const env = { PATH, HOME, npm_config_userconfig: devNull };
    const { code, errors, outputs } = await follow(steps, { cwd: platform.home, seconds: 50, env });
    expect([code, errors]).toEqual([0, ""]);
    const [deployment, command] = outputs.slice(1).map((output) => JSON.parse(output));
    expect(deployment).toMatchObject({ model_id: platform.description.model_id, status: "Pending" });
    expect(command).toMatchObject({ action: "pause", status: "applied" });
    expect(await commandApplied(platform.description, "resume")).toMatchObject({ status: "applied" });
  });
});
