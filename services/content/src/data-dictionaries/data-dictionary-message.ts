import {
  AuthorKind,
  type DataDictionaryChange,
  DataDictionaryChangeSchema,
  type DataDictionaryEntry,
  DataDictionaryEntrySchema,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PastChange } from "./change-store.ts";
import type { EntryText } from "./data-dictionary.ts";

export function entryMessage({ name, description }: EntryText): DataDictionaryEntry {
  return create(DataDictionaryEntrySchema, { name, description });
}

const authorKinds = { person: AuthorKind.PERSON, program: AuthorKind.PROGRAM };

export function changeMessage({
  id,
  name,
  previous,
  description,
  author,
  version,
  changedAt,
}: PastChange): DataDictionaryChange {
  return create(DataDictionaryChangeSchema, {
    id,
    name,
    ...(previous === undefined ? {} : { previousDescription: previous }),
    ...(description === undefined ? {} : { description }),
    ...(author.kind === "person" ? { authorMemberId: author.memberId } : {}),
    authorKind: authorKinds[author.kind],
    version: BigInt(version),
    changedAt: timestampFromDate(changedAt),
  });
}
