import { join } from "node:path";
import { type Settings, settingsTable } from "@aiplatform/service-host";
import { contentSettings } from "../../services/content/src/config.ts";
import { dataSettings } from "../../services/data/src/config.ts";
import { deploymentsSettings } from "../../services/deployments/src/config.ts";
import { gatewaySettings } from "../../services/gateway/src/config.ts";
import { identitySettings } from "../../services/identity/src/config.ts";
import { trainingSettings } from "../../services/training/src/config.ts";
import { hasPlace, pageWith, table } from "./markdown.ts";

const settingsOf: Readonly<Record<string, Settings>> = {
  content: contentSettings,
  data: dataSettings,
  deployments: deploymentsSettings,
  gateway: gatewaySettings,
  identity: identitySettings,
  training: trainingSettings,
};

/** Settings that name a file of a Secret, and the Secret where it is not the service's own. */
const secretFiles: Readonly<Record<string, { secret?: string }>> = {
  SERVICE_KEY_FILE: {},
  SERVICE_KEYS_FILE: { secret: "service-keys" },
};

/** A row for each secret of each service, as its Secret on Kubernetes has it. */
const secretRows = Object.entries(settingsOf).flatMap(([service, settings]) =>
  Object.entries(settings).flatMap(([name, { secret, optional, description }]) => {
    const file = secretFiles[name];
    const key = name
      .replace(/_FILE$/, "")
      .toLowerCase()
      .replaceAll("_", "-");
    const row = [`\`aiplatform-${file?.secret ?? service}\``, `\`${key}\``, optional ? "no" : "yes", description];
    return secret || file ? [row] : [];
  }),
);
/** What all services read from one Secret has one row. */
const distinctRows = [...new Map(secretRows.map((row) => [row.slice(0, 2).join(), row])).values()];

/** Path and text of the pages with secrets and settings; of services, those whose README has a place for them. */
export function* pagesWithSettings(): Generator<[path: string, text: string]> {
  const secrets = "k8s/README.md";
  yield [secrets, pageWith(secrets, "secrets", table(["Secret", "key", "required", ""], distinctRows))];
  for (const [service, settings] of Object.entries(settingsOf)) {
    const readme = join("services", service, "README.md");
    if (hasPlace(readme, "settings")) yield [readme, pageWith(readme, "settings", settingsTable(settings))];
  }
}
