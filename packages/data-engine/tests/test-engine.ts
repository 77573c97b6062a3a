import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findSandbox } from "@aiplatform/serving-runtime/sandbox";
import { type DataEngine, type DataEngineOptions, openDataEngine, type Page, type SourceFile } from "../src/index.ts";

/** As strong as the machine allows: what DuckDB itself refuses holds without a sandbox, too. */
const { kind: sandbox } = await findSandbox();

/** An engine with files of organisations. */
export interface TestEngine extends AsyncDisposable {
  readonly engine: DataEngine;
  readonly directory: string;
  /** The absolute path of a file of an organisation. Default: `ada`. */
  readonly path: (name: string, organisationId?: string) => string;
  /** Writes a file of `ada`, and answers it as a source; its format is what its name ends with. */
  readonly file: (name: string, content: string | Uint8Array) => Promise<SourceFile>;
  /** Makes a Parquet file of CSV. */
  readonly parquet: (name: string, csv: string) => Promise<string>;
}

const formats: Readonly<Record<string, SourceFile["format"]>> = {
  csv: "csv",
  jsonl: "jsonl",
  parquet: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
};

export async function openTestEngine(options: Partial<DataEngineOptions> = {}): Promise<TestEngine> {
  const directory = await mkdtemp(join(tmpdir(), "data-engine-"));
  await mkdir(join(directory, "ada"));
  const engine = await openDataEngine({
    ...{ sandbox, sandboxSetting: "DATA_SANDBOX", directory },
    ...{ maxProcesses: 2, memoryMiB: 1_024, threads: 2, temporaryDiskMiB: 256, idleMs: 60_000 },
    logger: { info: () => {}, warn: () => {} },
    ...options,
  });
  const path = (name: string, organisationId = "ada") => join(directory, organisationId, name);
  const file: TestEngine["file"] = async (name, content) => {
    await writeFile(path(name), content);
    const [, ending = "", packed] = /\.([a-z]+)(?:\.(gz|zst))?$/.exec(name) ?? [];
    const compression = packed && { compression: packed === "gz" ? ("gzip" as const) : ("zstd" as const) };
    return { path: path(name), name, format: formats[ending] ?? "csv", ...compression };
  };
  return {
    ...{ engine, directory, path, file },
    async parquet(name, csv) {
      const output = path(name);
      await engine.convert({ organisationId: "ada", files: [await file(`${name}.csv`, csv)], output });
      return output;
    },
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The rows of a page in JSON. */
export function rowsOf(page: Page): Record<string, unknown>[] {
  return JSON.parse(Buffer.from(page.body).toString());
}
