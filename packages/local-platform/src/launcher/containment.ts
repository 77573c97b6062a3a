import { findSandbox, type Sandbox } from "@aiplatform/serving-runtime/sandbox";

/** What happens to the code of handlers. */
export interface Containment {
  /** What contains it on this machine. */
  readonly sandbox: Sandbox;
  /** Whether it runs where nothing contains it. */
  readonly trustsCode: boolean;
}

/** What the deployments service does with the code of handlers when it is started with these variables. */
export async function containmentIn(env: Readonly<Record<string, string | undefined>>): Promise<Containment> {
  const sandbox = await findSandbox({ choice: env["SERVING_SANDBOX"] });
  return { sandbox, trustsCode: env["TRUST_SERVING_CODE"] === "true" };
}
