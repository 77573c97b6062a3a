import { InvalidFieldsError } from "@aiplatform/service-host";

/** The environment is not higher than where the deployment is, or there is none that is. */
export class EnvironmentNotHigherError extends Error {
  override name = "EnvironmentNotHigherError";
  readonly environment: string;
  constructor(environment: string, message: string) {
    super(message);
    this.environment = environment;
  }
}

/** What is needed to change what serves above the lowest environment, and to promote. */
export const promotePermission = "deployments:promote";

/** Another version would serve above the lowest environment, and the caller may not promote. */
export class PromotionNotAllowedError extends Error {
  override name = "PromotionNotAllowedError";
  readonly environment: string;
  constructor(environment: string) {
    super(`Missing permission: ${promotePermission}. The deployment is in ${environment}`);
    this.environment = environment;
  }
}

/**
 * Where a deployment is promoted to: the environment that is named, or the next. `environments`: from the lowest.
 * @throws InvalidFieldsError for one that there is not, EnvironmentNotHigherError
 */
export function higherEnvironment(
  environments: readonly string[],
  { from, to }: { from: string; to: string | undefined },
): string {
  const here = environments.indexOf(from);
  const target = to ?? environments[here + 1];
  if (target === undefined) throw new EnvironmentNotHigherError(from, `There is no environment above ${from}`);
  if (!environments.includes(target)) {
    const description = `Input should be one of: ${environments.join(", ")}`;
    throw new InvalidFieldsError([{ field: "environment", reason: "ENVIRONMENT_UNKNOWN", description }]);
  }
  if (environments.indexOf(target) > here) return target;
  throw new EnvironmentNotHigherError(target, `The environment ${target} is not higher than ${from}`);
}
