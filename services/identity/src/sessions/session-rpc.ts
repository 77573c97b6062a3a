import { type Caller, callerOf, permissionMissing } from "@aiplatform/caller-identity";
import {
  type CurrentSession as CurrentSessionMessage,
  CurrentSessionSchema,
  type Session as SessionMessage,
  SessionMethod as SessionMethodName,
  SessionSchema,
  SessionService,
} from "@aiplatform/contract/aiplatform/identity/v1/sessions";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { holderOf } from "../credentials/holder-ref.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { createSignInCode } from "./create-sign-in-code.ts";
import { type CallerDescription, type DescribedCaller, describeCaller } from "./describe-caller.ts";
import { revokeSession, sessionsOfOthersPermission, signOut } from "./end-session.ts";
import { openSession } from "./open-session.ts";
import { idleEnd, oldestUse, type Session, type SessionLimits, type SessionMethod } from "./session.ts";
import { verifiedIn } from "./verify-session.ts";

const methods: Readonly<Record<SessionMethod, SessionMethodName>> = {
  api_key: SessionMethodName.API_KEY,
  access_token: SessionMethodName.ACCESS_TOKEN,
  sign_in_code: SessionMethodName.SIGN_IN_CODE,
  switch: SessionMethodName.SWITCH,
  identity_provider: SessionMethodName.IDENTITY_PROVIDER,
};

export function sessionRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  const { sessions, sessionCookie, sessionLimits, clock } = dependencies;
  const describe = async (caller: DescribedCaller) =>
    currentMessage(await describeCaller(dependencies, caller), caller, sessionLimits);
  router.service(SessionService, {
    async createSession({ organisationId, userAgent }, context) {
      const { session, token } = await openSession(dependencies, callerOf(context), { organisationId, userAgent });
      const maxAgeSeconds = Math.ceil((session.expiresAt.getTime() - session.createdAt.getTime()) / 1_000);
      if (sessionCookie) context.responseHeader.set("set-cookie", sessionCookie.keep(token, maxAgeSeconds));
      return { session: await describe(await verifiedIn(dependencies, session)) };
    },
    async getSession(_, context) {
      return { session: await describe(callerOf(context)) };
    },
    async endSession(_, context) {
      await signOut(dependencies, callerOf(context));
      if (sessionCookie) context.responseHeader.set("set-cookie", sessionCookie.remove());
      return {};
    },
    async listSessions({ limit = 100, cursor, everyone }, context) {
      const caller = callerOf(context);
      if (everyone && !caller.permissions.has(sessionsOfOthersPermission)) {
        throw permissionMissing(sessionsOfOthersPermission);
      }
      const now = clock();
      const which = { holder: everyone ? undefined : holderOf(caller), usedSince: oldestUse(now, sessionLimits), now };
      const { items, nextCursor } = await sessions.list(caller.organisationId, { limit, cursor, ...which });
      return { sessions: items.map((each) => sessionMessage(each, caller, sessionLimits)), nextCursor };
    },
    async revokeSession({ sessionId }, context) {
      await revokeSession(dependencies, callerOf(context), sessionId);
      return {};
    },
    async createSignInCode(_, context) {
      const { code, url, expiresAt } = await createSignInCode(dependencies, callerOf(context));
      return { code, signInUrl: url, expiresAt: timestampFromDate(expiresAt) };
    },
  });
}

/** The caller, as they see themselves. */
function currentMessage(
  { session, name, member, apiKey, organisation, organisations }: CallerDescription,
  { permissions }: Pick<Caller, "permissions">,
  limits: SessionLimits,
): CurrentSessionMessage {
  return create(CurrentSessionSchema, {
    name,
    ...(session && {
      id: session.id,
      method: methods[session.method],
      createdAt: timestampFromDate(session.createdAt),
      idleExpiresAt: timestampFromDate(idleEnd(session, limits)),
      expiresAt: timestampFromDate(session.expiresAt),
    }),
    ...(member && { member: { id: member.id, displayName: member.displayName, email: member.email } }),
    ...(apiKey && { apiKey: { id: apiKey.id, name: apiKey.name, lastFour: apiKey.lastFour } }),
    ...(organisation && { organisation: organisationMessage(organisation) }),
    organisations: organisations.map(organisationMessage),
    permissionIds: [...permissions].sort(),
  });
}

function organisationMessage({ id, slug, name }: Organisation) {
  return { id, slug, name };
}

function sessionMessage(session: Session, { sessionId }: Caller, limits: SessionLimits): SessionMessage {
  const { id, holder, method, userAgent, createdAt, lastUsedAt, expiresAt } = session;
  return create(SessionSchema, {
    ...{ id, ...holder, userAgent },
    method: methods[method],
    createdAt: timestampFromDate(createdAt),
    lastUsedAt: timestampFromDate(lastUsedAt),
    idleExpiresAt: timestampFromDate(idleEnd(session, limits)),
    expiresAt: timestampFromDate(expiresAt),
    isCurrent: id === sessionId,
  });
}
