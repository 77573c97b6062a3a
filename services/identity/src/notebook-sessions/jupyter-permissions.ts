import { InvalidFieldsError } from "@aiplatform/service-host";

/** Permissions as Jupyter Server asks for them and answers them: resource to actions. */
export type JupyterPermissions = Readonly<Record<string, readonly string[]>>;

/** What lets a caller use a notebook server at all. */
const notebooksPermission = "notebooks:use";

/** What Jupyter Server itself knows by name; a caller who may use a notebook server may do all of it on their own. */
const jupyterResources: ReadonlySet<string> = new Set([
  "api",
  "config",
  "contents",
  "csp",
  "events",
  "kernels",
  "kernelspecs",
  "nbconvert",
  "server",
  "sessions",
  "terminals",
]);
const jupyterActions: ReadonlySet<string> = new Set(["read", "write", "execute"]);

const shape = 'must be a JSON object of resource to list of actions, such as {"contents":["read"]}';

/** Reads the `permissions` of a query; empty asks for none. @throws InvalidFieldsError on `permissions`. */
export function readJupyterPermissions(text: string): JupyterPermissions {
  if (text === "") return {};
  const wanted = parse(text);
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted)) throw malformed(shape);
  const entries = Object.entries(wanted).map(([resource, actions]): [string, string[]] => {
    if (!isTexts(actions)) throw malformed(`${shape}; ${JSON.stringify(resource)} has no list of texts`);
    return [resource, actions];
  });
  return Object.fromEntries(entries);
}

/**
 * Of what is asked for, what the caller may do. `updatable_fields` is in each of Jupyter Server's answers: which fields of
 * the identity its front end may change, and ours come from elsewhere.
 */
export function heldPermissions(wanted: JupyterPermissions, held: ReadonlySet<string>): JupyterPermissions {
  const entries = Object.entries(wanted).map(([resource, actions]): [string, string[]] => [
    resource,
    actions.filter((action) => isHeld(resource, action, held)),
  ]);
  return Object.fromEntries([...entries, ["updatable_fields", []]]);
}

function isHeld(resource: string, action: string, held: ReadonlySet<string>): boolean {
  if (held.has(`${resource}:${action}`)) return true;
  return held.has(notebooksPermission) && jupyterResources.has(resource) && jupyterActions.has(action);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(shape);
  }
}

function malformed(description: string): InvalidFieldsError {
  return new InvalidFieldsError([{ field: "permissions", description, reason: "JUPYTER_PERMISSIONS_INVALID" }]);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
