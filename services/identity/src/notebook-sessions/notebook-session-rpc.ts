import { type Caller, callerOf } from "@aiplatform/caller-identity";
import {
  NotebookCallerKind,
  type NotebookServer as NotebookServerMessage,
  NotebookServerSchema,
  NotebookServerStatus,
  type NotebookSession as NotebookSessionMessage,
  NotebookSessionSchema,
  NotebookSessionService,
} from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { optionalTimestamp } from "../timestamps.ts";
import {
  getNotebookSession,
  type NotebookServer,
  type NotebookSession,
  type SessionDependencies,
} from "./get-notebook-session.ts";
import { issueNotebookPass, type PassDependencies } from "./issue-notebook-pass.ts";
import { heldPermissions, type JupyterPermissions, readJupyterPermissions } from "./jupyter-permissions.ts";
import { initialsOf } from "./notebook-user.ts";

const kinds: Record<NotebookSession["user"]["kind"], NotebookCallerKind> = {
  member: NotebookCallerKind.MEMBER,
  api_key: NotebookCallerKind.API_KEY,
};
const statuses: Record<NotebookServer["status"], NotebookServerStatus> = {
  none: NotebookServerStatus.NONE,
  starting: NotebookServerStatus.STARTING,
  running: NotebookServerStatus.RUNNING,
  stopping: NotebookServerStatus.STOPPING,
  failed: NotebookServerStatus.FAILED,
};

export function notebookSessionRoutes(
  router: ConnectRouter,
  dependencies: SessionDependencies & PassDependencies,
): void {
  router.service(NotebookSessionService, {
    async getNotebookSession({ permissions }, context) {
      const caller = callerOf(context);
      const held = heldPermissions(readJupyterPermissions(permissions), caller.permissions);
      return { session: sessionMessage(await getNotebookSession(dependencies, caller), { caller, held }) };
    },
    async issueNotebookPass(_, context) {
      const { expiresAt, ...pass } = await issueNotebookPass(dependencies, callerOf(context));
      return { ...pass, expiresAt: timestampFromDate(expiresAt) };
    },
  });
}

function sessionMessage(
  { user, server }: NotebookSession,
  { caller, held }: { caller: Caller; held: JupyterPermissions },
): NotebookSessionMessage {
  const { username, name, kind, roles } = user;
  const initials = initialsOf(name);
  return create(NotebookSessionSchema, {
    identity: { username, name, displayName: name, ...(initials !== undefined && { initials }) },
    permissions: { text: JSON.stringify(held) },
    kind: kinds[kind],
    ...(caller.memberId !== undefined && { memberId: caller.memberId }),
    organisationId: caller.organisationId,
    roles,
    scopes: [...caller.permissions].sort(),
    ...(server && { session: serverMessage(server) }),
  });
}

function serverMessage({ status, url, startedAt, lastActivity, ...server }: NotebookServer): NotebookServerMessage {
  return create(NotebookServerSchema, {
    ...server,
    status: statuses[status],
    ...(url !== undefined && { serverUrl: url }),
    ...optionalTimestamp("startedAt", startedAt),
    ...optionalTimestamp("lastActivity", lastActivity),
  });
}
