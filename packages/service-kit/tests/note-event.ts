import { EventSchema, event } from "@aiplatform/contract/aiplatform/events/v1/event";
import { create, createFileRegistry, type Message, setExtension } from "@bufbuild/protobuf";
import type { GenMessage } from "@bufbuild/protobuf/codegenv2";
import {
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_descriptor,
  MessageOptionsSchema,
} from "@bufbuild/protobuf/wkt";

/** What the fifth service tells others, as its own proto file would declare it. */
type NoteKept = Message<"notes.v1.NoteKept"> & { text: string };
type NotesPurged = Message<"notes.v1.NotesPurged">;

function declared(entity: string, happened: string) {
  const options = create(MessageOptionsSchema);
  setExtension(options, event, create(EventSchema, { domain: "notes", entity, happened }));
  return options;
}
const file = create(FileDescriptorProtoSchema, {
  name: "notes/v1/events.proto",
  package: "notes.v1",
  syntax: "proto3",
  messageType: [
    {
      name: "NoteKept",
      field: [{ name: "text", number: 1, type: FieldDescriptorProto_Type.STRING, jsonName: "text" }],
      options: declared("note", "kept"),
    },
    { name: "NotesPurged", options: declared("organisation", "purged") },
  ],
});
const files = [file_google_protobuf_descriptor.proto, file];
const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));

export const NoteKeptSchema = registry.getMessage("notes.v1.NoteKept") as unknown as GenMessage<NoteKept>;
export const NotesPurgedSchema = registry.getMessage("notes.v1.NotesPurged") as unknown as GenMessage<NotesPurged>;
