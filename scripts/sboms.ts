// Writes the bill of materials of each image, as the image has it. Needs no Docker.
//
//   npm run sboms -- FOLDER
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { imageNames } from "./bundle.ts";
import { capture, root, runMain, StepError } from "./install.mjs";

const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

runMain(async () => {
  const [target] = process.argv.slice(2);
  if (!target) throw new StepError("usage: npm run sboms -- FOLDER");
  const folder = resolve(target);
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "sboms-"));
  try {
    for (const image of imageNames) {
      const out = join(scratch, image);
      const script = [join(root, "scripts", "images-content.ts"), image, out];
      const { code, output } = await capture([process.execPath, script]);
      if (code !== 0) throw new StepError(`the content of the image ${image} cannot be made:\n${output.trim()}`);
      const file = join(folder, `${image}-${version}.cdx.json`);
      copyFileSync(join(out, "app", "sbom.cdx.json"), file);
      process.stdout.write(`${file}\n`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
