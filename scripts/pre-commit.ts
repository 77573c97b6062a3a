// What is looked at before each commit, in a few seconds: `npm run hooks` has git do so.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Command, capture, root, runMain, StepError, toolEnvironment } from "./install.mjs";

const node = (name: string, ...args: string[]): Command => [process.execPath, [join(root, "scripts", name), ...args]];
/** Sources that other files are generated from. */
const generates = /^proto\/|(config|metrics|settings)\.ts$|^buf/;

function stagedFiles(): string[] {
  const { stdout } = spawnSync("git", ["diff", "--cached", "--name-only", "--diff-filter=ACMR", "-z"], { cwd: root });
  return String(stdout).split("\0").filter(Boolean);
}

interface Check {
  readonly command: Command;
  readonly remedy: string;
}

/** The checks of a commit of these files, by name. */
function checksOf(staged: readonly string[]): Record<string, Check> {
  const biome = ["check", "--error-on-warnings", "--no-errors-on-unmatched", "--files-ignore-unknown=true", ...staged];
  const checks: Record<string, Check> = {
    "format and lint": { command: ["biome", biome], remedy: "npm run format" },
    "plain words": { command: node("check-words.ts"), remedy: "write what the list says instead" },
  };
  if (!staged.some((path) => generates.test(path))) return checks;
  return { ...checks, "generated files": { command: node("generate.ts", "--check"), remedy: "npm run generate" } };
}

runMain(async () => {
  const staged = stagedFiles();
  if (staged.length === 0) return;
  const outcomes = await Promise.all(
    Object.entries(checksOf(staged)).map(async ([name, { command, remedy }]) => {
      const { code, output } = await capture(command, { env: toolEnvironment() });
      return code === 0
        ? undefined
        : `${output.trim()}\n${name}: not as it should be. Remedy: ${remedy}, then git add.`;
    }),
  );
  const problems = outcomes.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new StepError(problems.join("\n\n"));
});
