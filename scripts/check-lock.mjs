// The lock file must install anywhere: in step with the manifests, and bound to no registry's address.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmCommand, root, run, runMain, StepError } from "./install.mjs";

runMain(async () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const bound = Object.entries(packages).filter(([, { resolved }]) => /^https?:/.test(resolved ?? ""));
  if (bound.length > 0) {
    throw new StepError(
      `package-lock.json names a registry for ${bound.length} packages: set omit-lockfile-registry-resolved.`,
    );
  }
  const unhashed = Object.entries(packages).filter(
    ([path, entry]) => path.includes("node_modules/") && !entry.link && !entry.integrity,
  );
  if (unhashed.length > 0)
    throw new StepError(`package-lock.json has no integrity for ${unhashed.map(([path]) => path).join(", ")}.`);
  const [command, args] = npmCommand("ci", "--dry-run", "--ignore-scripts", "--offline");
  const { code, output } = await run(command, args, { capture: true });
  if (code !== 0) throw new StepError(`npm ci would fail:\n${output.trim().split("\n").slice(0, 15).join("\n")}`);
});
