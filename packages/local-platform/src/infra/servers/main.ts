import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra } from "./infra.ts";
import { InfraError } from "./infra-error.ts";

// `npm run infra`: a pair of servers that several test runs can share.
const directory = await mkdtemp(join(tmpdir(), "aiplatform-infra-"));
const { promise: asked, resolve } = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve());
try {
  await using servers = await startInfra({ directory, log: (line) => process.stderr.write(`${line}\n`) });
  process.stdout.write(`export TEST_MONGODB_URI='${servers.mongodbUri}' TEST_NATS_URL='${servers.natsUrl}'\n`);
  await asked;
} catch (error) {
  if (!(error instanceof InfraError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
