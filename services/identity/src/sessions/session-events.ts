import { sessionCredentialId, signInCodeCredentialId } from "@aiplatform/caller-identity";
import {
  CredentialChangedSchema,
  SessionCreatedSchema,
  SessionEndedSchema,
  SignInCodeCreatedSchema,
} from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { EventCause, OutboxRecord } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { create } from "@bufbuild/protobuf";
import type { Session } from "./session.ts";
import type { SignInCode } from "./sign-in-code-store.ts";

/** Why a session ended before its time. */
export type SessionEnd = "signed_out" | "revoked" | "switched" | "too_many";

/** `cause`: who opened it, where the call that does so comes without a credential. */
export function sessionCreated(
  { id, organisationId, holder, method, createdAt }: Session,
  cause?: EventCause | undefined,
): OutboxRecord {
  const message = create(SessionCreatedSchema, { organisationId, sessionId: id, method, ...holder });
  return eventRecord(SessionCreatedSchema, message, { organisationId, entityId: id, time: createdAt, cause });
}

/** What is announced when a session ends: that it has, and that cached contexts of it are void. */
export function sessionEnded({ id, organisationId }: Session, reason: SessionEnd, time: Date): OutboxRecord[] {
  const ended = create(SessionEndedSchema, { organisationId, sessionId: id, reason });
  const changed = create(CredentialChangedSchema, { organisationId, apiKeyId: sessionCredentialId(id) });
  const about = { organisationId, entityId: id, time };
  return [eventRecord(CredentialChangedSchema, changed, about), eventRecord(SessionEndedSchema, ended, about)];
}

export function signInCodeCreated({ id, organisationId }: SignInCode, time: Date): OutboxRecord {
  const message = create(SignInCodeCreatedSchema, { organisationId, signInCodeId: id });
  return eventRecord(SignInCodeCreatedSchema, message, { organisationId, entityId: id, time });
}

/** The code was used: cached contexts of it are void. */
export function signInCodeUsed({ id, organisationId }: SignInCode, time: Date): OutboxRecord {
  const message = create(CredentialChangedSchema, { organisationId, apiKeyId: signInCodeCredentialId(id) });
  return eventRecord(CredentialChangedSchema, message, { organisationId, entityId: id, time });
}
