import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const built = fileURLToPath(new URL("../../../../apps/console/dist", import.meta.url));

/** The setting of the gateway that names the built console; none where it is not built. */
export function consoleDirectory(): { CONSOLE_DIRECTORY?: string } {
  return existsSync(join(built, "index.html")) ? { CONSOLE_DIRECTORY: built } : {};
}
