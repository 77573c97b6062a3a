/** The services of the platform. */
export const serviceNames = ["gateway", "identity", "training", "content", "deployments", "data"] as const;

/** Whom services believe that dead letters are to be tried again. */
export const operatorName = "operator";

/** Each has a key pair. */
export const keyHolders: readonly string[] = [...serviceNames, operatorName];

const keyId = /^([a-z][a-z0-9-]{0,62})(\.[0-9]{1,9})?$/;

/** Whose key it is: `training` for `training` and `training.2`; undefined for anything else. */
export function holderOf(kid: string): string | undefined {
  return keyId.exec(kid)?.[1];
}
