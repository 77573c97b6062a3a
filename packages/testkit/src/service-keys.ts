import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceAssertions } from "@aiplatform/caller-identity";
import { assertionInterceptor } from "@aiplatform/service-host";
import { keepServiceKeys, keyHolders, type ServiceKeyFiles, ServiceKeys } from "@aiplatform/service-keys";
import type { Interceptor } from "@connectrpc/connect";

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

const asserting = new Map<string, ServiceAssertions>();

/** Proves to services that this one calls. */
export function serviceAssertions(service: string): ServiceAssertions {
  const made = asserting.get(service) ?? new ServiceAssertions(serviceKeys(service), () => new Date());
  asserting.set(service, made);
  return made;
}

/** Calls as that service. */
export function assertedAs(service: string): Interceptor {
  return assertionInterceptor(serviceAssertions(service));
}

/** Outside a test run, such as in a bench. */
function ownDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "service-keys-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
