// Makes packages/contract/dist, what a release has for programs in other languages: the proto files with all that they
// import, in one folder of an archive, and the same as a descriptor set. `--out DIR` puts them elsewhere.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { capture, root, runMain, StepError, toolEnvironment } from "./install.mjs";

/** No file of ours imports them, but every error has them: callers that are given descriptors alone could not read it. */
const errorDetails = ["google/rpc/error_details.proto", "google/rpc/status.proto"];
const licences = {
  LICENSE: "LICENSE",
  "third_party/proto/buf/LICENSE": "buf/LICENSE",
  "third_party/proto/google/LICENSE": "google/LICENSE",
};

async function must(program: string, args: readonly string[]): Promise<void> {
  const { code, output } = await capture([program, args], { env: toolEnvironment() });
  if (code !== 0) throw new StepError(`${program} ${args[0]} failed:\n${output.trim()}`);
}

runMain(async () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(root, "packages", "contract", "dist");
  const { out } = parseArgs({ options: { out: { type: "string", default: folder } } }).values;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "contract-"));
  try {
    const name = `aiplatform-proto-${version}`;
    const protos = join(scratch, name);
    await must("buf", ["export", join(root, "proto"), "--output", protos]);
    for (const file of errorDetails) cpSync(join(root, "third_party", "proto", file), join(protos, file));
    for (const [from, to] of Object.entries(licences)) cpSync(join(root, from), join(protos, to));
    const descriptors = join(out, `aiplatform-descriptors-${version}.binpb`);
    await must("buf", ["build", protos, "--as-file-descriptor-set", "--output", descriptors]);
    await must("tar", ["-czf", join(out, `${name}.tar.gz`), "-C", scratch, name]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.stdout.write(`@aiplatform/contract: ${out}\n`);
});
