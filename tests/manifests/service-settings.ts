import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { secretsDirectory, secretValues } from "@aiplatform/cluster-installer";
import type { HostConfig } from "@aiplatform/service-host";
import { contentSettings, readConfig as readContent } from "../../services/content/src/config.ts";
import { dataSettings, readConfig as readData } from "../../services/data/src/config.ts";
import { deploymentsSettings, readConfig as readDeployments } from "../../services/deployments/src/config.ts";
import { gatewaySettings, readConfig as readGateway } from "../../services/gateway/src/config.ts";
import { identitySettings, readConfig as readIdentity } from "../../services/identity/src/config.ts";
import { readConfig as readTraining, trainingSettings } from "../../services/training/src/config.ts";
import { nameOf, type RenderedOverlay, type ServiceName } from "./rendered-overlays.ts";

/** As much of a setting's declaration as the tests look at. */
export interface DeclaredSetting {
  kind: string;
  description: string;
  secret: boolean;
  optional: boolean;
  default?: unknown;
}

type Environment = Record<string, string>;

/** What each service declares, and how it reads it. */
export const declarations: Readonly<
  Record<
    ServiceName,
    { settings: Readonly<Record<string, DeclaredSetting>>; read: (env: Environment) => Partial<HostConfig> }
  >
> = {
  gateway: { settings: gatewaySettings, read: readGateway },
  identity: { settings: identitySettings, read: readIdentity },
  training: { settings: trainingSettings, read: readTraining },
  content: { settings: contentSettings, read: readContent },
  deployments: { settings: deploymentsSettings, read: readDeployments },
  data: { settings: dataSettings, read: readData },
};

/** What stands in for the keys of Secrets that cannot be made up. */
const samples: Readonly<Record<string, string>> = {
  "smtp-url": "smtp://platform:password@mail.example.com",
  "artifacts-s3-secret-access-key": "sample",
};

/** Everything that the pods of a service have in their environment. */
export function environmentOf({ all }: RenderedOverlay, service: ServiceName): Environment {
  const container = all("Deployment").find((each) => nameOf(each) === service)?.spec?.template.spec?.containers[0];
  const maps = (container?.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const settings = all("ConfigMap").filter((each) => maps.includes(nameOf(each)));
  const own = (container?.env ?? []).map(({ name, value = "" }) => [name, value]);
  return { ...Object.assign({}, ...settings.map(({ data }) => data)), ...Object.fromEntries(own) };
}

/** The settings as the service reads them in its pod. Throws SettingsError with everything that is wrong. */
export async function configOf(rendered: RenderedOverlay, service: ServiceName): Promise<Record<string, unknown>> {
  const folder = await mkdtemp(join(tmpdir(), "secrets-"));
  try {
    const entries = Object.entries(environmentOf(rendered, service)).map(async ([name, value]) => {
      if (!value.startsWith(secretsDirectory)) return [name, value];
      const file = join(folder, basename(value));
      const text = secretValues[basename(value)]?.() ?? samples[basename(value)];
      if (text !== undefined) await writeFile(file, text);
      return [name, file];
    });
    return { ...declarations[service].read(Object.fromEntries(await Promise.all(entries))) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
