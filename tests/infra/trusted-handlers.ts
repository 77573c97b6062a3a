import { findSandbox } from "@aiplatform/serving-runtime/sandbox";

const { kind } = await findSandbox();

/**
 * Settings of deployments with which handlers run on every machine: in a sandbox where there is one, as always, and without one
 * elsewhere. What they answer is the same.
 */
export const trustedHandlers: Readonly<Record<string, string>> = kind === "none" ? { TRUST_SERVING_CODE: "true" } : {};
