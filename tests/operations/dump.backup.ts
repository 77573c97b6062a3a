import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool, startInfra } from "@aiplatform/local-platform";
import { follow, type Step, stepsOf } from "../documents/followed-page.ts";
import { type BackupMethod, describeBackup } from "./backup-journey.ts";

const root = join(import.meta.dirname, "../..");
const page = await readFile(join(root, "docs/operations/backup.md"), "utf8");
const [dump, restore] = stepsOf(page);

for (const tool of ["mongodump", "mongorestore"]) {
  const { ok } = await runTool(tool, ["--version"]);
  if (!ok) throw new Error(`${tool} is not on the PATH: install MongoDB's database tools to run this test.`);
}

/** Types what the page shows, with its variables set. */
async function typed(step: Step | undefined, variables: Record<string, string>) {
  if (!step) throw new Error("the page on backups shows a dump and a restore, and one of them is missing");
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'`);
  const { code, errors } = await follow([{ commands: `${exports.join("\n")}\n`, shown: undefined }, step], {
    cwd: root,
    seconds: 120,
  });
  if (code !== 0) throw new Error(`the page's commands ended with ${code}: ${errors}`);
}

/** What the page on backups says about dumps, word for word. */
const dumps: BackupMethod = {
  take: ({ mongodbUri, directory }, backup) =>
    typed(dump, { MONGODB_URI: mongodbUri, ARTIFACTS_DIRECTORY: join(directory, "artifacts"), BACKUP: backup }),

  async restore(backup, directory) {
    await using empty = await startInfra({ directory, nats: false, env: {} });
    await typed(restore, {
      EMPTY_MONGODB_URI: empty.mongodbUri,
      EMPTY_ARTIFACTS_DIRECTORY: join(directory, "artifacts"),
      BACKUP: backup,
    });
  },
};

describeBackup("a dump by MongoDB's tools, restored into an empty replica set", dumps);
