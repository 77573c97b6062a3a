import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Name of the client with which a test tries what it must not. */
export const attacker = "attacker";

/** Fails when a process of the platform wanted more on NATS than its login permits: whatever it was for is silently missing. */
export async function assertPermissionsSuffice(directory: string): Promise<void> {
  const log = await readFile(join(directory, "nats", "nats-server.log"), "utf8").catch(() => "");
  const refused = log.split("\n").filter((line) => / Violation /.test(line) && !line.includes(`:${attacker}"`));
  if (refused.length > 0) throw new Error(`NATS refused what a service needs:\n${refused.join("\n")}`);
}
