import { callerOf } from "@aiplatform/caller-identity";
import {
  type ExternalLink as ExternalLinkMessage,
  ExternalLinkSchema,
  ExternalLinkStartSchema,
  ExternalLinkStatus,
  ExternalOauthService,
  type StartExternalLinkRequest,
} from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import { idempotent } from "@aiplatform/service-host";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import type { IdentityDependencies } from "../dependencies.ts";
import { optionalTimestamp } from "../timestamps.ts";
import { completeExternalLink } from "./complete-external-link.ts";
import { continueExternalLink } from "./continue-external-link.ts";
import { type ExternalLink, type LinkStatus, statusAt } from "./external-link.ts";
import { linkPage } from "./link-page.ts";
import { reviewExternalLink } from "./review-external-link.ts";
import { type RevokeExternalLinkDependencies, revokeExternalLink } from "./revoke-external-link.ts";
import { sealedIdempotency } from "./sealed-idempotency.ts";
import { type LinkStart, startExternalLink } from "./start-external-link.ts";

/** The provider of the operation whose path names it. */
const socialnet = "socialnet";

const statuses: Readonly<Record<LinkStatus, ExternalLinkStatus>> = {
  pending: ExternalLinkStatus.PENDING,
  linked: ExternalLinkStatus.LINKED,
  failed: ExternalLinkStatus.FAILED,
  expired: ExternalLinkStatus.EXPIRED,
  revoked: ExternalLinkStatus.REVOKED,
};

export function externalLinkRoutes(
  router: ConnectRouter,
  dependencies: IdentityDependencies & Pick<RevokeExternalLinkDependencies, "onProviderFailure">,
): void {
  const { clock, externalLinks } = dependencies;
  // Answers hold the state, with which an attacker could come back in the member's place.
  const idempotency = sealedIdempotency(dependencies.idempotency, dependencies.secrets);
  const { method } = ExternalOauthService;
  const message = (link: ExternalLink) => linkMessage(link, clock());
  router.service(ExternalOauthService, {
    startSocialnetLink: (request, context) =>
      idempotent(idempotency, method.startSocialnetLink, { request, context }, async (session) => {
        const wanted = wantedOf({ ...request, provider: socialnet });
        return { start: startMessage(await startExternalLink(dependencies, callerOf(context), wanted, session)) };
      }),
    startExternalLink: (request, context) =>
      idempotent(idempotency, method.startExternalLink, { request, context }, async (session) => ({
        start: startMessage(await startExternalLink(dependencies, callerOf(context), wantedOf(request), session)),
      })),
    async reviewExternalLink({ state }) {
      return { page: await reviewExternalLink(dependencies, state) };
    },
    async continueExternalLink({ state, confirmation, cookie }) {
      return { page: await continueExternalLink(dependencies, { state, confirmation, cookie }) };
    },
    async completeExternalLink({ code, state, iss, error, cookie }) {
      return { page: linkPage(await completeExternalLink(dependencies, { code, state, iss, error, cookie })) };
    },
    async listExternalLinks({ limit = 100, ...request }, context) {
      const { items, nextCursor } = await externalLinks.list(callerOf(context).organisationId, { ...request, limit });
      return { links: items.map(message), nextCursor };
    },
    async getExternalLink({ linkId }, context) {
      return { link: message(await externalLinks.get(callerOf(context).organisationId, linkId)) };
    },
    async revokeExternalLink({ linkId }, context) {
      return {
        link: message(await revokeExternalLink(dependencies, callerOf(context).organisationId, linkId)),
      };
    },
  });
}

type LinkRequest = Pick<StartExternalLinkRequest, "provider" | "secretName" | "secretDescription" | "relink">;

function wantedOf({ provider, secretName = "", secretDescription, relink }: LinkRequest) {
  return { provider, secretName, secretDescription, relink };
}

function startMessage({ expiresAt, ...start }: LinkStart) {
  const status = ExternalLinkStatus.PENDING;
  return create(ExternalLinkStartSchema, { ...start, expiresAt: timestampFromDate(expiresAt), status });
}

/** A link as callers see it: never its tokens. */
function linkMessage(link: ExternalLink, now: Date): ExternalLinkMessage {
  const { id, organisationId, provider, secretName, secretDescription, scopes, error, memberId } = link;
  return create(ExternalLinkSchema, {
    ...{ id, organisationId, provider, secretName, secretDescription, scopes },
    status: statuses[statusAt(link, now)],
    ...(error === undefined ? {} : { error }),
    ...(memberId === undefined ? {} : { memberId }),
    createdAt: timestampFromDate(link.createdAt),
    ...optionalTimestamp("linkedAt", link.linkedAt),
    ...optionalTimestamp("expiresAt", link.attempt?.expiresAt),
    ...optionalTimestamp("tokenExpiresAt", link.tokenExpiresAt),
    ...optionalTimestamp("revokedAt", link.revokedAt),
  });
}
