import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { OrganisationCreatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { eventSubject } from "@aiplatform/event-stream";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { programEnvironment } from "@aiplatform/testkit";
import { connect, headers, nkeyAuthenticator } from "nats";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";

let platform: LocalPlatform;
sharedPlatform((running) => {
  platform = running;
});

const main = join(import.meta.dirname, "../../packages/event-stream/src/redrive-main.ts");

/** Puts a copy of an event that identity's audit log has among that consumer's dead letters. */
async function publishDeadLetter(): Promise<void> {
  const authenticator = nkeyAuthenticator(await readFile(platform.natsNkeyFile));
  const connection = await connect({ servers: platform.natsUrl, authenticator });
  const manager = await connection.jetstreamManager();
  const query = { last_by_subj: eventSubject(OrganisationCreatedSchema) };
  const event = await manager.streams.getMessage("aiplatform", query);
  const fields = headers();
  for (const name of event.header.keys()) if (!/^nats-/i.test(name)) fields.set(name, event.header.get(name));
  await connection.jetstream().publish("aiplatform_dead.identity-audit.copy", event.data, { headers: fields });
  await connection.close();
}

/** Runs the command with the NKey of the operator, and with the private key of a holder of service keys. */
function redrive(holder: string): Promise<{ stdout: string }> {
  const keys = join(platform.directory, "secrets/service-keys");
  const env = {
    ...programEnvironment(),
    NATS_URL: platform.natsUrl,
    NATS_NKEY_FILE: platform.natsNkeyFile,
    SERVICE_KEY_FILE: join(keys, `${holder}.pem`),
    SERVICE_KEYS_FILE: join(keys, "service-keys.json"),
  };
  return promisify(execFile)(process.execPath, [main], { env });
}

describe("dead letters", () => {
  it("are tried again for the operator, and the service removes what it has handled", async () => {
    await publishDeadLetter();
    expect((await redrive("operator")).stdout).toBe("identity-audit: 1 dead letters, 1 handled, 0 failed again\n");
    expect((await redrive("operator")).stdout).toBe("there are no dead letters\n");
  });

  it("are not tried again for the private key of a service", async () => {
    await expect(redrive("training")).rejects.toThrow(/training\.pem\) of operator belongs to training/);
  });
});
