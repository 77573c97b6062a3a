import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { writePrivate } from "../infra/private-file.ts";
import type { ContentIds } from "./content-seed.ts";
import type { ModelIds } from "./model-seed.ts";

/** What an organisation of the demo was given. */
export interface DemoOrganisation {
  organisation_id: string;
  /** Holds every permission of an administrator. */
  api_key: string;
  pipeline_id: string;
  run_id: string;
}

/** What has to be the same after a restart. */
export interface DemoRecord {
  demo?: DemoOrganisation;
  foreign?: DemoOrganisation;
  /** Of the organisation `demo`. */
  content?: ContentIds;
  /** Of the organisation `demo`. */
  model?: ModelIds;
  /** Holds what a trainer needs, and no more. */
  trainer_key?: string;
}

/** Reads the record; empty when there is none. */
export async function readDemoRecord(path: string): Promise<DemoRecord> {
  return existsSync(path) ? JSON.parse(await readFile(path, "utf8")) : {};
}

/** Replaces the record. It holds keys, so only its owner may read it. */
export function writeDemoRecord(path: string, record: DemoRecord): Promise<void> {
  return writePrivate(path, JSON.stringify(record, undefined, 2));
}
