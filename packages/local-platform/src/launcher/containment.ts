import { findSandbox, type Sandbox } from "@aiplatform/serving-runtime/sandbox";

/** What happens to the code of handlers. */
export interface Containment {
  /** What contains it on this machine. */
  readonly sandbox: Sandbox;
  /** Whether it runs where nothing contains it. */
  readonly trustsCode: boolean;
}

/**
 * What DATA_SANDBOX is to be set to: `none` on a machine that has no sandbox, where the files are those of its user. Undefined: nothing, because
 * the data service finds one, or the variables say it. @throws the reason of `signal`
 */
export async function dataSandboxIn(
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal | undefined,
): Promise<"none" | undefined> {
  if (env["DATA_SANDBOX"] !== undefined) return undefined;
  const { kind } = await findSandbox({ signal });
  return kind === "none" ? kind : undefined;
}

/** What the deployments service does with the code of handlers when it is started with these variables. */
export async function containmentIn(env: Readonly<Record<string, string | undefined>>): Promise<Containment> {
  const sandbox = await findSandbox({ choice: env["SERVING_SANDBOX"] });
  return { sandbox, trustsCode: env["TRUST_SERVING_CODE"] === "true" };
}
