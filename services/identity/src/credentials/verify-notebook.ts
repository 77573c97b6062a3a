import { hubTokenOf, notebookCredentialId } from "@aiplatform/caller-identity";
import type { IdentityDependencies } from "../dependencies.ts";
import type { NotebookHub } from "../notebook-sessions/notebook-hub.ts";
import { userOfHub } from "../notebook-sessions/notebook-user.ts";
import { CredentialRefusedError } from "./credential-refused-error.ts";
import { type Holder, keyNow, memberNow } from "./holder.ts";
import type { VerifiedCredential } from "./verified-credential.ts";

/** What lets a user have notebooks. */
const notebooksPermission = "notebooks:use";

/** What a notebook never does, whatever its user may: it runs code of other people, and would outlive its server. */
const withheldPermissions: ReadonlySet<string> = new Set([
  "apikeys:manage",
  "members:manage",
  "roles:manage",
  notebooksPermission,
]);

type Dependencies = Pick<IdentityDependencies, "members" | "roles" | "apiKeys" | "clock"> & {
  /** Absent: notebook servers have no credential here. */
  notebookHub: Pick<NotebookHub, "findTokenServer"> | undefined;
};

const unknown = () =>
  new CredentialRefusedError("CREDENTIAL_UNKNOWN", { text: "No notebook server has this credential" });
const mayNot = () =>
  new CredentialRefusedError("CREDENTIAL_REVOKED", { text: "The notebook's user may not use notebooks" });

/**
 * The caller from a notebook server, by the token that the hub made for it: its user, with less than the user may do at this moment.
 * @throws CredentialRefusedError; HubUnavailableError when the hub cannot be asked
 */
export async function verifyNotebook(dependencies: Dependencies, bearer: string): Promise<VerifiedCredential> {
  const token = hubTokenOf(bearer);
  if (token === undefined) throw new CredentialRefusedError("CREDENTIAL_MALFORMED");
  const server = await dependencies.notebookHub?.findTokenServer(token);
  if (!server) throw unknown();
  const { permissions, ...holder } = await userNow(dependencies, server.username);
  if (!permissions.has(notebooksPermission)) throw mayNot();
  const left = new Set([...permissions].filter((permission) => !withheldPermissions.has(permission)));
  const credentialId = notebookCredentialId(`${server.username}/${server.serverName}`);
  return { ...holder, permissions: left, credentialId };
}

async function userNow(dependencies: Dependencies, username: string): Promise<Holder> {
  const { members, apiKeys } = dependencies;
  const user = userOfHub(username);
  if (!user) throw unknown();
  if ("memberId" in user) return await memberNow(dependencies, await members.findEverywhere(user.memberId));
  const key = await apiKeys.findEverywhere(user.apiKeyId);
  if (!key) throw unknown();
  return keyNow(dependencies, key);
}
