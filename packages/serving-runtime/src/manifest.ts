/** What one instance serves, as the driver that starts it writes it down. */
export interface ServingManifest {
  readonly runtime: "onnx" | "node";
  /** Name under which the protocol knows the model. */
  readonly model_name: string;
  readonly version: string;
  /** JSON Schemas, as JSON text, of what goes in and what comes out. */
  readonly interface?: { readonly input: string; readonly output: string };
  /** Requests that are worked on at once. */
  readonly concurrency: number;
  /** Longest time of one request, its wait included. */
  readonly timeout_ms: number;
  /** What a handler and all else in the process may take together. */
  readonly memory_mb: number;
  /** Whether a handler may use the network. */
  readonly network: boolean;
  /** What a handler finds in `context.datasets`. Default: none. */
  readonly datasets?: unknown;
}

/** The manifest is not one. */
export class ManifestError extends Error {
  override name = "ManifestError";
}

const maxTimeoutMs = 3_600_000;

/** Reads the manifest's text. @throws ManifestError naming every field that is wrong */
export function parseManifest(text: string): ServingManifest {
  const fields = fieldsOf(text);
  const problems: string[] = [];
  const take = <T>(name: string, read: (value: unknown) => T | undefined, wants: string): T | undefined => {
    const value = read(fields[name]);
    if (value === undefined) problems.push(`${name} must be ${wants}`);
    return value;
  };
  const runtime = take("runtime", readRuntime, "onnx or node");
  const model_name = take("model_name", readText, "a text");
  const version = take("version", readText, "a text");
  const concurrency = take("concurrency", readWhole(1, 10_000), "a whole number between 1 and 10000");
  const timeout_ms = take("timeout_ms", readWhole(1, maxTimeoutMs), `a whole number between 1 and ${maxTimeoutMs}`);
  const memory_mb = take("memory_mb", readWhole(64, 1_048_576), "a whole number between 64 and 1048576");
  const network = take("network", readFlag, "true or false");
  const schemas = readInterface(fields["interface"]);
  if (schemas === "unfit") problems.push("interface must be an object of two texts, input and output");
  const isComplete = runtime && model_name && version && concurrency && timeout_ms && memory_mb;
  if (problems.length > 0 || !isComplete || network === undefined || schemas === "unfit") {
    throw new ManifestError(`the manifest is wrong: ${problems.join("; ")}`);
  }
  const { datasets } = fields;
  return {
    ...{ runtime, model_name, version, concurrency, timeout_ms, memory_mb, network },
    ...(schemas && { interface: schemas }),
    ...(datasets !== undefined && { datasets }),
  };
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below, as for any other text that holds no object.
  }
  throw new ManifestError("the manifest must be a JSON object");
}

const readRuntime = (value: unknown) => (value === "onnx" || value === "node" ? value : undefined);
const readText = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const readFlag = (value: unknown) => (typeof value === "boolean" ? value : undefined);
const readWhole = (min: number, max: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= min && value <= max ? value : undefined;

function readInterface(value: unknown): ServingManifest["interface"] | "unfit" {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || !("input" in value) || !("output" in value)) return "unfit";
  const { input, output } = value;
  return typeof input === "string" && typeof output === "string" ? { input, output } : "unfit";
}
