import { mkdir, mkdtempDisposable, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@aiplatform/serving-runtime/sandbox";
import { DuckDBInstance } from "@duckdb/node-api";
import { type DataEngine, openDataEngine } from "../src/index.ts";

export const organisationId = "bench";
/** Of a process of the engine, and of DuckDB alone. */
export const threads = 2;

/** An engine as the service opens it, with a folder of an organisation. Its files are gone afterwards. */
export interface BenchEngine extends AsyncDisposable {
  readonly engine: DataEngine;
  /** The absolute path of a file of the organisation. */
  readonly path: (name: string) => string;
  /** Runs statements in DuckDB alone, in this process, without the engine. */
  readonly alone: (statements: readonly string[]) => Promise<void>;
}

/** Says how much disk is needed, and opens an engine. @throws where there is less */
export async function openBenchEngine(neededMiB: number): Promise<BenchEngine> {
  await using cleanUp = new AsyncDisposableStack();
  const { bavail, bsize } = await statfs(tmpdir());
  const free = Math.floor((bavail * bsize) / 1_048_576);
  process.stdout.write(`needs ${neededMiB} MiB of disk in ${tmpdir()}, where ${free} MiB are free\n`);
  if (free < neededMiB) throw new Error(`there are ${free} MiB free in ${tmpdir()}, and ${neededMiB} are needed`);
  const directory = cleanUp.use(await mkdtempDisposable(join(tmpdir(), "data-engine-bench-"))).path;
  const { kind: sandbox } = await findSandbox();
  const engine = cleanUp.use(
    await openDataEngine({
      ...{ sandbox, sandboxSetting: "DATA_SANDBOX", directory, threads },
      ...{ maxProcesses: 1, memoryMiB: 1_024, temporaryDiskMiB: 4_096, idleMs: 600_000 },
      logger: { info: () => {}, warn: () => {} },
    }),
  );
  await mkdir(join(directory, organisationId));
  const kept = cleanUp.move();
  return {
    engine,
    path: (name) => join(directory, organisationId, name),
    async alone(statements) {
      const instance = await DuckDBInstance.create(":memory:", { threads: String(threads), temp_directory: directory });
      const connection = await instance.connect();
      try {
        for (const statement of statements) await connection.run(statement);
      } finally {
        connection.closeSync();
        instance.closeSync();
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
