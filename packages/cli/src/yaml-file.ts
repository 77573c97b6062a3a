import { UsageError } from "./exit-codes.ts";

/** YAML as JSON text; every JSON text is YAML. @throws UsageError where it is neither */
export async function jsonOfYaml(text: string): Promise<string> {
  // Loaded only for those who want it, as for the output.
  const { parse } = await import("yaml");
  try {
    return JSON.stringify(parse(text) ?? {});
  } catch (error) {
    throw new UsageError(`--file is not YAML: ${error instanceof Error ? error.message : error}`);
  }
}
