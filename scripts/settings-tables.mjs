import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";

const place = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;

/** A program that prints the settings table of a service, from where the service declares each setting. */
const program = (service) => `
import { settingsTable } from "@aiplatform/service-host";
import { ${service}Settings } from ${JSON.stringify(pathToFileURL(join(root, "services", service, "src", "config.ts")).href)};
process.stdout.write(settingsTable(${service}Settings));`;

/**
 * README path → its text with the settings table of today, of each service whose README has a place for it.
 * `evaluate` runs a program of ours and answers what it prints.
 */
export async function readmesWithSettings(evaluate) {
  const readmes = new Map();
  for (const service of readdirSync(join(root, "services"))) {
    const path = join("services", service, "README.md");
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "";
    if (!place.test(text)) continue;
    const table = (await evaluate(program(service))).trim();
    readmes.set(
      path,
      text.replace(place, (_, before, after) => `${before}\n${table}\n\n${after}`),
    );
  }
  return readmes;
}
