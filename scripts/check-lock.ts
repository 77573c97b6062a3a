// The lock file must install anywhere: in step with the manifests, and bound to no registry's address.
import { capture, lockedPackages, npmCommand, runMain, StepError } from "./install.mjs";

runMain(async () => {
  const packages = lockedPackages();
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
  const { code, output } = await capture(npmCommand("ci", "--dry-run", "--ignore-scripts", "--offline"));
  if (code !== 0) throw new StepError(`npm ci would fail:\n${output.trim().split("\n").slice(0, 15).join("\n")}`);
});
