/** Most that there may be of media; what the contract says is not repeated here. */
export const mediaLimits = {
  /** Names of a job, over all its segments and kinds. */
  namesPerJob: 100,
  /** Media of one name of a job; with more, those that stand closest together in steps go. */
  perName: 100,
  /** Bytes of a table that is reported inline. */
  inlineTableBytes: 16_384,
  tableColumns: 100,
  /** Characters of the name of a column. */
  columnNameLength: 255,
} as const;

export type MediaKindName = "histogram" | "image" | "table" | "text";

/** What media of a kind may hold. */
interface KindRule {
  /** Content that a report may hold itself, named as its field. */
  inline?: "histogram" | "table" | "text";
  /** Media types of files, and their bytes at most. */
  files?: { mediaTypes: readonly string[]; maxBytes: number };
}

/** The kinds, and what each may hold. Nothing that a browser would run. */
export const mediaKinds: Readonly<Record<MediaKindName, KindRule>> = {
  histogram: { inline: "histogram" },
  image: { files: { mediaTypes: ["image/png", "image/jpeg", "image/webp"], maxBytes: 10_485_760 } },
  table: { inline: "table", files: { mediaTypes: ["application/json"], maxBytes: 1_048_576 } },
  text: { inline: "text", files: { mediaTypes: ["text/plain"], maxBytes: 1_048_576 } },
};

/** A file that was uploaded as an artifact. */
export interface MediaFile {
  sha256: string;
  mediaType: string;
  sizeBytes: number;
}

/** What a medium shows. A table is JSON text. */
export type MediaContent =
  | { case: "histogram"; value: { edges: readonly number[]; counts: readonly number[] } }
  | { case: "table"; value: string }
  | { case: "text"; value: string }
  | { case: "file"; value: MediaFile };

/** Something that a trainer shows at a step. */
export interface NewMedium {
  name: string;
  step: number;
  kind: MediaKindName;
  content: MediaContent;
  /** SHA-256 of everything above, hexadecimal. */
  digest: string;
}

/** Something that a trainer has shown, as it is stored. */
export interface StoredMedium extends Omit<NewMedium, "digest"> {
  id: string;
  jobName: string;
  segment: number;
  /** It came after a newer segment had begun. */
  archived: boolean;
  storedAt: Date;
}
