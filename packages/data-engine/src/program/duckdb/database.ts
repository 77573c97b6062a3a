import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { quoteTexts } from "./sql.ts";

/** What the databases of a process have. */
export interface DatabaseSettings {
  /** Of DuckDB; the process may have more. */
  readonly memoryMiB: number;
  readonly threads: number;
  /** Where it puts what does not fit into memory. */
  readonly scratch: string;
  readonly temporaryDiskMiB: number;
}

/** What a database may touch beside its scratch folder. */
export interface Access {
  readonly directories: readonly string[];
  readonly files: readonly string[];
  /** Errors are JSON, with their place in the query. Default: texts. */
  readonly errorsAsJson?: boolean;
}

/** An empty database in memory that reads what it is given, and nothing else. */
export class Database implements Disposable {
  readonly connection: DuckDBConnection;
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.connection = connection;
  }

  static async open(settings: DatabaseSettings, access: Access): Promise<Database> {
    const instance = await DuckDBInstance.create(":memory:", {
      memory_limit: `${settings.memoryMiB}MiB`,
      threads: String(settings.threads),
      temp_directory: settings.scratch,
      max_temp_directory_size: `${settings.temporaryDiskMiB}MiB`,
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      allow_community_extensions: "false",
      allow_unsigned_extensions: "false",
      // A file may be replaced by another of its name; the kernel keeps what is read often.
      enable_external_file_cache: "false",
    });
    const connection = await instance.connect();
    const steps = [
      "SET TimeZone = 'UTC'",
      // The progress of a conversion is asked for, and never printed.
      "SET enable_progress_bar = true",
      "SET enable_progress_bar_print = false",
      // It compares each expression with each: of a thousand columns that takes minutes.
      "SET disabled_optimizers = 'common_subexpressions'",
      `SET errors_as_json = ${access.errorsAsJson ?? false}`,
      "SET allow_persistent_secrets = false",
      `SET allowed_directories = ${quoteTexts(access.directories)}`,
      `SET allowed_paths = ${quoteTexts(access.files)}`,
      "SET enable_external_access = false",
      // The last one: from here on a query changes no setting.
      "SET lock_configuration = true",
    ];
    for (const step of steps) await connection.run(step);
    return new Database(instance, connection);
  }

  [Symbol.dispose](): void {
    this.connection.closeSync();
    this.#instance.closeSync();
  }
}
