import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../../scripts/install.mjs";

/** What a token may be used for, by scope. */
export type Permissions = Readonly<Record<string, string>>;

/** A workflow, as far as tests look into it. */
export interface Workflow {
  readonly permissions: Permissions;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** One job of a workflow. */
export interface Job {
  readonly permissions?: Permissions;
  /** The container that its steps run in. */
  readonly container?: { readonly image: string; readonly options?: string };
  readonly steps: readonly Step[];
}

/** One step of a job. */
export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

const folder = join(root, ".github/workflows");

/** Names of the files of all workflows. */
export const workflowFiles = await readdir(folder);

/** Reads a workflow by the name of its file. */
export async function workflow(file: string): Promise<Workflow> {
  return parse(await readFile(join(folder, file), "utf8"));
}
