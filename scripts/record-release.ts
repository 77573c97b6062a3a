// Keeps what a release promises, below docs/releases/<version>/: the description of the REST API, and the contract as an image.
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { capture, root, runMain, StepError, toolEnvironment } from "./install.mjs";

runMain(async () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join("docs", "releases", version);
  if (existsSync(join(root, folder))) throw new StepError(`${folder} is there: raise the version, or remove it first.`);
  mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(join(root, "docs", "openapi.json"), join(root, folder, "openapi.json"));
  const image = ["build", "--exclude-source-info", "--output", join(folder, "contract.binpb")];
  const { code, output } = await capture(["buf", image], { env: toolEnvironment() });
  if (code !== 0) throw new StepError(`buf build failed:\n${output.trim()}`);
});
