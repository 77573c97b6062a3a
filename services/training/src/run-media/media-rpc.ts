import { callerOf } from "@aiplatform/caller-identity";
import { MediaService } from "@aiplatform/contract/aiplatform/training/v1/media";
import type { ConnectRouter } from "@connectrpc/connect";
import { findMedium, type ListMediaDependencies, listMedia, listMediaNames } from "./list-media.ts";
import { mediaBytesOf } from "./media-bytes.ts";
import { mediaNameMessage, mediumMessage, sourceMessage } from "./media-message.ts";

const defaultLimit = 100;

export function mediaRoutes(router: ConnectRouter, dependencies: ListMediaDependencies): void {
  router.service(MediaService, {
    async listMediaNames(request, context) {
      const names = await listMediaNames(dependencies, callerOf(context).organisationId, request);
      return { names: names.map(mediaNameMessage) };
    },
    async listMedia({ limit = defaultLimit, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { items, nextCursor } = await listMedia(dependencies, organisationId, request, { ...request, limit });
      return { media: items.map(mediumMessage), nextCursor };
    },
    async findMediaContent(request, context) {
      const medium = await findMedium(dependencies, callerOf(context).organisationId, request);
      const { source, ...described } = mediaBytesOf(medium);
      return { ...described, source: sourceMessage(source) };
    },
  });
}
