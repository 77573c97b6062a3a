import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./install.mjs";

const place = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;

const configOf = (service) => pathToFileURL(join(root, "services", service, "src", "config.ts")).href;

/** A program that prints the settings table of a service, from where the service declares each setting. */
const program = (service) => `
import { settingsTable } from "@aiplatform/service-host";
import { ${service}Settings } from ${JSON.stringify(configOf(service))};
process.stdout.write(settingsTable(${service}Settings));`;

const secretsPage = "k8s/README.md";
const secretsPlace = /(<!-- secrets -->\n)[\s\S]*?(<!-- \/secrets -->)/;

/** A program that prints a row for each secret of each service, as its Secret on Kubernetes has it. */
const secretsProgram = (services) => `
${services.map((service) => `import { ${service}Settings as ${service} } from ${JSON.stringify(configOf(service))};`).join("\n")}
for (const [service, settings] of Object.entries({ ${services.join(", ")} })) {
  for (const [name, { secret, optional, description }] of Object.entries(settings)) {
    const key = name.toLowerCase().replaceAll("_", "-");
    if (secret) console.log(["", "\`aiplatform-" + service + "\`", "\`" + key + "\`", optional ? "no" : "yes", description, ""].join(" | ").trim());
  }
}`;

async function pageOfSecrets(services, evaluate) {
  const rows = (await evaluate(secretsProgram(services))).trim();
  const text = readFileSync(join(root, secretsPage), "utf8");
  const table = `| Secret | key | required | |\n| --- | --- | --- | --- |\n${rows}`;
  return text.replace(secretsPlace, (_, before, after) => `${before}\n${table}\n\n${after}`);
}

/**
 * README path → its text with the settings table of today, of each service whose README has a place for it.
 * `evaluate` runs a program of ours and answers what it prints.
 */
export async function readmesWithSettings(evaluate) {
  const readmes = new Map();
  const services = readdirSync(join(root, "services"));
  readmes.set(secretsPage, await pageOfSecrets(services, evaluate));
  for (const service of services) {
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
