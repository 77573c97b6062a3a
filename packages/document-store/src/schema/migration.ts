import type { DocumentStore } from "../document-store.ts";

/** What a batch of a migration works with. */
export interface MigrationWork {
  store: Pick<DocumentStore, "database" | "now">;
  /** What the batch before has answered; absent in the first one. A batch that is repeated gets the same again. */
  after: string | undefined;
  /** How many documents it may read at most. */
  limit: number;
  signal: AbortSignal;
}

export interface MigratedBatch {
  /** How many documents it has changed. */
  documents: number;
  /** Where the next batch begins; absent: there is nothing left. */
  after?: string | undefined;
}

/** What a kind of migration promises. */
interface MigrationRule {
  /** Whether the service answers before the first pass is over. */
  servesMeanwhile: boolean;
  /** Whether the previous version can read and write what the migration leaves. Otherwise that does not start any longer. */
  isReadByPrevious: boolean;
}

export const migrationRules = {
  /** Adds what the service needs before it answers. */
  required_backfill: { servesMeanwhile: false, isReadByPrevious: true },
  /** Adds what the service can do without for a while. */
  backfill: { servesMeanwhile: true, isReadByPrevious: true },
  /** Changes or removes what the previous version needs. The service has to work with both forms meanwhile. */
  conversion: { servesMeanwhile: true, isReadByPrevious: false },
} as const satisfies Record<string, MigrationRule>;

export type MigrationKind = keyof typeof migrationRules;

/** A step of the schema of a service's documents. Each is run once for ever, and never changed after a release. */
export interface Migration {
  /** From 1, without a gap. */
  version: number;
  /** In log lines and in the output of `--check`. */
  name: string;
  kind: MigrationKind;
  /** Migrates some documents, within a second. Repeating it, also beside itself, has the same effect as once. */
  batch: (work: MigrationWork) => Promise<MigratedBatch>;
}

/** How far the documents of a database have come. */
export interface SchemaState {
  /** Every migration up to this one is complete: nothing has been written since by a version that does not know it. */
  version: number;
  /** A first pass of every migration up to this one is over. Replicas of an earlier version may have written since. */
  prepared: number;
  /** A service whose newest migration is an earlier one must not start. */
  minReader: number;
}

/** What is to be done next. */
export interface MigrationStep {
  migration: Migration;
  /** `first`: replicas of an earlier version may run. `final`: none does. */
  pass: "first" | "final";
}

/** The migrations of a service have a gap, or two have the same version. */
export class MigrationOrderError extends Error {
  override name = "MigrationOrderError";
}

/** The database holds what this version of the service cannot read. Waiting does not help. */
export class SchemaTooNewError extends Error {
  override name = "SchemaTooNewError";
  constructor(o: { database: string; minReader: number; known: number }) {
    super(
      `the documents of database ${o.database} need a service that knows version ${o.minReader} of their schema, ` +
        `and this one knows version ${o.known}: install the release that was here before, or a newer one, or restore a backup ` +
        "that was made before the upgrade",
    );
  }
}

/** The version of the schema that these migrations lead to. @throws MigrationOrderError */
export function schemaVersionOf(migrations: readonly Migration[]): number {
  const wrong = migrations.find(({ version }, index) => version !== index + 1);
  if (wrong) throw new MigrationOrderError(`migration ${wrong.name} has version ${wrong.version}: they count from 1`);
  return migrations.length;
}

/** Up to which version a first pass has to be over before the service answers. */
export function neededToServe(migrations: readonly Migration[]): number {
  return migrations.findLast(({ kind }) => !migrationRules[kind].servesMeanwhile)?.version ?? 0;
}

/** The next step, or undefined when there is none for now. */
export function nextStep(
  migrations: readonly Migration[],
  { version, prepared }: Pick<SchemaState, "version" | "prepared">,
  { earlierRuns }: { earlierRuns: boolean },
): MigrationStep | undefined {
  const unfinished = migrations[version];
  // One pass is enough where nothing else writes.
  if (unfinished && !earlierRuns) return { migration: unfinished, pass: "final" };
  const unprepared = migrations[prepared];
  return unprepared && { migration: unprepared, pass: "first" };
}
