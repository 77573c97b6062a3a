// Builds the console; also for the image of the gateway and for the platform on one machine.
import { join, relative } from "node:path";
import { build } from "vite";
import { root, StepError } from "./install.mjs";

const folder = join(root, "apps", "console");

/** Builds the console into a folder, and returns the files that went in, relative to the repository. Default: its own dist/. */
export async function buildConsole(out = join(folder, "dist")): Promise<string[]> {
  const configFile = join(folder, "vite.config.ts");
  // Vite takes what it finds there, and tests set it: the console would be one for development.
  process.env["NODE_ENV"] = "production";
  const built = await build({ configFile, logLevel: "warn", build: { outDir: out, emptyOutDir: true } });
  if (!("output" in built)) throw new StepError("The console was built more than once, or watched.");
  const modules = built.output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  return modules.filter((path) => path.startsWith(root)).map((path) => relative(root, path.replace(/\?.*$/, "")));
}
