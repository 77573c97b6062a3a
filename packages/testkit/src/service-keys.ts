import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keepServiceKeys, keyHolders, type ServiceKeyFiles, ServiceKeys } from "@aiplatform/service-keys";

/** Those of the platform, and one that only tests have. */
const holders = [...keyHolders, "notes"];

let made: ReturnType<typeof keepServiceKeys> | undefined;

/** Key files of a service; all processes of a test run share them. */
export function serviceKeyFiles(service: string): ServiceKeyFiles {
  made ??= keepServiceKeys(process.env["TEST_SERVICE_KEYS"] ?? ownDirectory(), holders);
  return made(service);
}

/** Signs as that service, as its processes do. */
export function serviceKeys(service: string): ServiceKeys {
  return new ServiceKeys(serviceKeyFiles(service), { service });
}

/** Outside a test run, such as in a bench. */
function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "service-keys-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
