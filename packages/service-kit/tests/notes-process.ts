import type { Migration } from "@aiplatform/document-store";
import { serveWithKeys } from "@aiplatform/testkit";
import { startNotes } from "./fifth-service.ts";
import { nextNotes } from "./notes-versions.ts";

// A replica of one version of the notes, which tells its parent of each batch that it migrates, and pauses after it.
const pauseMs = Number(process.env["BATCH_PAUSE_MS"] ?? 0);

function told(migration: Migration): Migration {
  const batch: Migration["batch"] = async (work) => {
    const migrated = await migration.batch(work);
    process.send?.({ migration: migration.version, after: work.after ?? null });
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return migrated;
  };
  return { ...migration, batch };
}

const declared = process.env["NOTES_VERSION"] === "next" ? nextNotes : { migrations: [] };
const migrations = declared.migrations.map(told);
await serveWithKeys((callers) => startNotes(definedEnvironment(), callers, { ...declared, migrations }));

function definedEnvironment(): Record<string, string> {
  const defined = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(defined);
}
