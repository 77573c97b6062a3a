// Puts together what an image holds beside Node, for the platform that this runs on; the Dockerfile calls it.
//
//   node scripts/images-content.ts SERVICE OUT
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BundledPackage, bundle, imageNames } from "./bundle.ts";
import { npmCommand, root, runMain, StepError } from "./install.mjs";

/** What the image's health check asks: services on their admin port, the runtime on its only one. */
function healthProgram(service: string): string {
  const address =
    service === "serving-runtime"
      ? '"http://127.0.0.1:8000/v2/health/live"'
      : // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's own template
        "`http://127.0.0.1:${process.env.ADMIN_PORT ?? 9090}/livez`";
  return `const answer = await fetch(${address}, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
`;
}

/** A bill of materials in the form of CycloneDX, as far as it is read here. */
interface Bill {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly "bom-ref": string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** npm's bill of materials, as far as its components went into the image. */
function billOfMaterials(service: string, packages: readonly BundledPackage[]): Bill {
  const [command, args] = npmCommand("sbom", "--sbom-format", "cyclonedx", "--package-lock-only");
  const bill: Bill = JSON.parse(execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 }));
  const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = bill.components.filter((component) => wanted.has(component["bom-ref"]));
  const refs = new Set(components.map((component) => component["bom-ref"]));
  const missing = [...wanted].filter((ref) => !refs.has(ref));
  if (missing.length > 0)
    throw new StepError(`npm sbom does not know ${missing.join(", ")}, which went into the image.`);
  const own = { ...bill.metadata.component, type: "application", name: `aiplatform-${service}` };
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return {
    ...bill,
    metadata: { ...bill.metadata, component: own },
    components,
    dependencies: [{ ref: own["bom-ref"], dependsOn: [...refs] }, ...dependencies],
  };
}

/** The licences of what others wrote, as they ask. */
function licences(packages: readonly BundledPackage[]): string {
  const texts = packages.map(({ name, version, license, path }) => {
    const folder = join(root, path);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const said = files.map((file) => readFileSync(join(folder, file), "utf8").trim());
    return [`${name} ${version} (${license})`, ...said].join("\n\n");
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

runMain(async () => {
  const [service, out] = process.argv.slice(2);
  if (!service || !imageNames.includes(service) || !out)
    throw new StepError(`usage: node scripts/images-content.ts ${imageNames.join("|")} OUT`);
  const app = resolve(out, "app");
  const packages = await bundle(service, app);
  for (const path of readdirSync(app, { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".map")) rmSync(join(app, path));
  writeFileSync(join(app, "health.js"), healthProgram(service));
  writeFileSync(join(app, "sbom.cdx.json"), `${JSON.stringify(billOfMaterials(service, packages), null, 2)}\n`);
  writeFileSync(join(app, "third-party-licences.txt"), licences(packages));
  // Where pods of the serving runtime have their volumes.
  if (service === "serving-runtime")
    for (const folder of ["files", "settings"]) mkdirSync(resolve(out, "serving", folder), { recursive: true });
  process.stdout.write(`${service}: ${packages.length} packages\n`);
});
