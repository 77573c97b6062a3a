import { callerOf } from "@aiplatform/caller-identity";
import { type ClientSession, TenantCollection } from "@aiplatform/document-store";
import { eventRecord } from "@aiplatform/event-stream";
import { type Callers, defineSettings, hostSettings, readSettings } from "@aiplatform/service-host";
import { type DomainService, startDomainService } from "@aiplatform/service-kit";
import { domainSettings } from "@aiplatform/service-kit/settings";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { EchoService } from "../../service-host/tests/rig/echo-service.ts";
import { NoteKeptSchema, NotesPurgedSchema } from "./note-event.ts";

class EmptyNoteError extends Error {
  override name = "EmptyNoteError";
}

const settings = defineSettings({ ...hostSettings, ...domainSettings({ database: "notes", holds: "notes" }) });

/** All that a fifth service writes by itself. It stores each note of an organisation once, with an event. */
export const startNotes = (
  env: Record<string, string>,
  callers: Callers,
  declared: Partial<Pick<DomainService, "indexes" | "migrations">> = {},
) =>
  startDomainService({
    name: "notes",
    config: readSettings(settings, env),
    services: [EchoService],
    errors: new Map([[EmptyNoteError, { code: Code.InvalidArgument, reason: "NOTE_EMPTY" }]]),
    indexes: [
      {
        collection: "notes",
        owner: "organisation",
        indexes: [{ name: "creation", key: { organisation_id: 1, _id: 1 } }],
      },
    ],
    ...declared,
    callers,
    start: ({ store, outbox, transaction, clock }) => {
      const notes = new TenantCollection(store, "notes");
      const keep = async (organisationId: string, text: string) => {
        if (text === "") throw new EmptyNoteError("a note needs a text");
        const noted = create(NoteKeptSchema, { text });
        const facts = { organisationId, entityId: text, time: clock() };
        await transaction(async (session) => {
          await notes.insert(organisationId, { _id: text, organisation_id: organisationId }, { session });
          await outbox.stage(session, eventRecord(NoteKeptSchema, noted, facts));
        });
        return { value: text };
      };
      const whisper = ({ value }: { value: string }, context: Parameters<typeof callerOf>[0]) =>
        keep(callerOf(context).organisationId, value);
      const purged = async (organisationId: string, session: ClientSession) => {
        const facts = { organisationId, entityId: organisationId, time: clock() };
        await outbox.stage(session, eventRecord(NotesPurgedSchema, create(NotesPurgedSchema), facts));
      };
      return { routes: (router) => router.service(EchoService, { whisper }), purge: { purged } };
    },
  });
