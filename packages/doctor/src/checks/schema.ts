import { type Migration, SchemaStore, type StoredSchema } from "@aiplatform/document-store";
import type { Db } from "mongodb";
import { type Finding, failed, fine, warning } from "../finding.ts";

/** How far the documents of a service's database have come, for a release with these migrations. */
export async function schema(database: Db, migrations: readonly Migration[]): Promise<Finding> {
  const stored = await new SchemaStore({ database, now: () => new Date() }).read().catch(() => undefined);
  return stored ? schemaFinding(stored, migrations) : fine("the schema may not be looked at with this login");
}

export function schemaFinding(
  { version, minReader, running, replicas }: StoredSchema,
  migrations: readonly Migration[],
): Finding {
  const known = migrations.length;
  if (minReader > known)
    return failed(
      `the documents need version ${minReader} of the schema, and this release knows version ${known}`,
      "install the release that was here before, or a newer one, or restore a backup from before the upgrade",
    );
  if (version > known)
    return warning(
      `the documents are of version ${version} of the schema, and this release knows version ${known}`,
      "this release works with them; the newer one migrates again what is written meanwhile",
    );
  if (running) {
    const name = migrations[running.version - 1]?.name ?? "of a newer release";
    return fine(`migration ${running.version} (${name}) is under way: ${running.documents} documents so far`);
  }
  const says = `version ${version} of ${known} of the schema`;
  const earlier = replicas.filter((replica) => replica.version < known).length;
  if (version < known && earlier > 0)
    return fine(`${says}: the rest waits until ${earlier} replicas of an earlier version end`);
  return fine(version < known ? `${says}: a running service does the rest` : says);
}
