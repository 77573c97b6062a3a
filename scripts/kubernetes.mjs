// Installs the platform on a Kubernetes cluster: installs what is missing here, then hands over to the installer on our own Node.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { install, root, runMain, sourceNode, toolEnvironment } from "./install.mjs";

const installer = join(root, "packages", "cluster-installer", "src", "main.ts");

runMain(async () => {
  await install();
  const child = spawn(sourceNode(), [installer, ...process.argv.slice(2)], {
    env: toolEnvironment(),
    stdio: "inherit",
  });
  const [code] = await once(child, "exit");
  process.exitCode = code ?? 1;
});
