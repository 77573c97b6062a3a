import { DataOrganisationPurgedSchema } from "@aiplatform/contract/aiplatform/events/v1/data";
import { eventRecord } from "@aiplatform/event-stream";
import type { DomainPlatform, PurgeParts } from "@aiplatform/service-kit";
import { create } from "@bufbuild/protobuf";
import type { ParquetCache } from "./parquet-cache/parquet-cache.ts";

interface Dependencies extends Pick<DomainPlatform, "outbox" | "clock"> {
  cache: Pick<ParquetCache, "removeOrganisation">;
}

/**
 * What the service does for a deleted organisation besides removing its documents: the copies of its data go. The data itself is removed
 * with its other artifacts.
 */
export function purgeOfData({ outbox, clock, cache }: Dependencies): PurgeParts {
  return {
    prepare: (organisationId) => cache.removeOrganisation(organisationId),
    async purged(organisationId, session) {
      const message = create(DataOrganisationPurgedSchema, { organisationId });
      const facts = { organisationId, entityId: organisationId, time: clock(), tellsOfDeletion: true } as const;
      await outbox.stage(session, eventRecord(DataOrganisationPurgedSchema, message, facts));
    },
  };
}
