import type { Caller } from "@aiplatform/caller-identity";
import type { IdentityDependencies } from "../dependencies.ts";
import { HubUnavailableError, type NotebookHub } from "./notebook-hub.ts";
import { type HubServer, type ServerState, serverState } from "./notebook-server.ts";
import { hubUsername, type NotebookUser } from "./notebook-user.ts";
import type { PendingTracker } from "./pending-tracker.ts";

export type SessionDependencies = Pick<IdentityDependencies, "members" | "roles" | "apiKeys" | "clock"> & {
  /** Absent: the installation has no notebooks. */
  hub: NotebookHub | undefined;
  pendingTracker: PendingTracker;
  /** Called with the reason when the hub did not answer. */
  onHubFailure: (error: Error) => void;
};

/** A notebook server as callers see it. */
export interface NotebookServer extends ServerState {
  /** `<user>/<server>` */
  id: string;
  /** Path at the gateway; absent unless it runs. */
  url?: string;
  startedAt: Date | undefined;
  lastActivity: Date | undefined;
}

/** Identity of the caller in notebooks, and the state of their server. */
export interface NotebookSession {
  user: NotebookUser;
  /** Absent: none was ever started, or there is no hub. */
  server: NotebookServer | undefined;
}

/** Looks, and changes nothing. A hub that is away makes the server `failed`, never the answer. */
export async function getNotebookSession(dependencies: SessionDependencies, caller: Caller): Promise<NotebookSession> {
  const [user, server] = await Promise.all([
    findUser(dependencies, caller),
    findServer(dependencies, hubUsername(caller)),
  ]);
  return { user, server };
}

async function findUser(
  dependencies: SessionDependencies,
  { organisationId, memberId, credentialId }: Caller,
): Promise<NotebookUser> {
  const username = hubUsername({ credentialId, ...(memberId !== undefined && { memberId }) });
  if (memberId !== undefined) {
    const member = await dependencies.members.get(organisationId, memberId);
    const roles = await dependencies.roles.findAll(organisationId, member.roleIds);
    return { username, kind: "member", name: member.displayName, roles: roles.map(({ slug }) => slug).sort() };
  }
  // The operator of the installation is in no organisation, so its key is in no list of keys.
  if (organisationId === "") return { username, kind: "api_key", name: credentialId, roles: [] };
  const apiKey = await dependencies.apiKeys.get(organisationId, credentialId);
  return { username, kind: "api_key", name: apiKey.name, roles: [] };
}

async function findServer(
  { hub, clock, pendingTracker, onHubFailure }: SessionDependencies,
  username: string,
): Promise<NotebookServer | undefined> {
  const id = `${username}/`;
  try {
    const server = await hub?.findServer(username);
    if (!server || (server.stopped && !server.lastActivity && !server.spawnFailure)) return undefined;
    const now = clock();
    return { id, ...describe(server, { now, firstSeen: pendingTracker.since(id, server.pending, now) }) };
  } catch (error) {
    if (!(error instanceof HubUnavailableError)) throw error;
    onHubFailure(error);
    const unknown = { startedAt: undefined, lastActivity: undefined };
    return { id, status: "failed", error: "The notebook hub does not answer", ...unknown };
  }
}

function describe(server: HubServer, { now, firstSeen }: { now: Date; firstSeen: Date }): Omit<NotebookServer, "id"> {
  const { url, startedAt, lastActivity } = server;
  const pendingSince = (server.pending === "spawn" && startedAt) || firstSeen;
  const state = serverState(server, { now, pendingSince });
  return { ...state, ...(state.status === "running" && url !== undefined && { url }), startedAt, lastActivity };
}
