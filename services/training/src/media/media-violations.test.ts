import { MediaKind, ReportedMediaSchema } from "@aiplatform/contract/aiplatform/training/v1/media";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { mediaViolations } from "./media-violations.ts";

type Content = NonNullable<MessageInitShape<typeof ReportedMediaSchema>["content"]>;

const { HISTOGRAM, IMAGE, TABLE, TEXT } = MediaKind;
const histogram = (edges: number[], counts: number[]): Content => ({ case: "histogram", value: { edges, counts } });
const table = (value: unknown): Content => ({ case: "table", value: { text: JSON.stringify(value) } });
const file = (mediaType: string, sizeBytes = 1): Content => ({
  case: "file",
  value: { sha256: "a".repeat(64), mediaType, sizeBytes: BigInt(sizeBytes) },
});
const text: Content = { case: "text", value: "hello" };

function problemsOf(kind: MediaKind, content: Content) {
  const media = [create(ReportedMediaSchema, { name: "m", kind, content })];
  return mediaViolations(media).map(({ field, description }) => `${field} ${description}`);
}

describe("a medium", () => {
  it.each<[string, MediaKind, Content]>([
    ["a histogram", HISTOGRAM, histogram([-1, 0, 2.5], [0, 3])],
    ["a PNG", IMAGE, file("image/png", 10_485_760)],
    ["a JPEG", IMAGE, file("image/jpeg")],
    ["a WebP", IMAGE, file("image/webp")],
    [
      "a table",
      TABLE,
      table({
        columns: ["a", "b"],
        rows: [
          [1.5, null],
          ["x", true],
        ],
      }),
    ],
    ["a table without rows", TABLE, table({ columns: ["a"], rows: [] })],
    ["an uploaded table", TABLE, file("application/json", 1_048_576)],
    ["a text", TEXT, text],
    ["an uploaded text", TEXT, file("text/plain")],
  ])("may be %s", (_name, kind, content) => {
    expect(problemsOf(kind, content)).toEqual([]);
  });

  it.each<[string, MediaKind, Content, string]>([
    ["content of another kind", IMAGE, text, "media[0].text is no content of an image: give file"],
    [
      "a file for a histogram",
      HISTOGRAM,
      file("image/png"),
      "media[0].file is no content of a histogram: give histogram",
    ],
    ["text for a table", TABLE, text, "media[0].text is no content of a table: give table or file"],
    [
      "an image that may hold a script",
      IMAGE,
      file("image/svg+xml"),
      "media[0].file.media_type of an image must be image/png, image/jpeg, image/webp",
    ],
    ["a page for a text", TEXT, file("text/html"), "media[0].file.media_type of a text must be text/plain"],
    [
      "a large text",
      TEXT,
      file("text/plain", 1_048_577),
      "media[0].file.size_bytes is more than the 1048576 bytes that a text may have",
    ],
    [
      "as many edges as counts",
      HISTOGRAM,
      histogram([1, 2], [1, 2]),
      "media[0].histogram.edges are 2 for 2 counts; there must be one more than counts",
    ],
    [
      "an edge that is no higher",
      HISTOGRAM,
      histogram([1, 2, 2], [1, 2]),
      "media[0].histogram.edges[2] must be higher than the edge before it",
    ],
    ["a table without rows", TABLE, table({ columns: ["a"] }), "media[0].table needs the lists columns and rows"],
    [
      "a table without columns",
      TABLE,
      table({ columns: [], rows: [] }),
      "media[0].table.columns must be 1 to 100 names of at most 255 characters",
    ],
    [
      "a number for a column",
      TABLE,
      table({ columns: [1], rows: [] }),
      "media[0].table.columns must be 1 to 100 names of at most 255 characters",
    ],
    [
      "a row that is too short",
      TABLE,
      table({ columns: ["a", "b"], rows: [[1, 2], [1]] }),
      "media[0].table.rows[1] must be a list of 2 texts, numbers, true, false or null: one for each column",
    ],
    [
      "an object in a cell",
      TABLE,
      table({ columns: ["a"], rows: [[{}]] }),
      "media[0].table.rows[0] must be a list of 1 texts, numbers, true, false or null: one for each column",
    ],
    [
      "a large table",
      TABLE,
      table({ columns: ["a"], rows: [["x".repeat(16_384)]] }),
      "media[0].table has more than 16384 bytes: upload it, and name it as file",
    ],
  ])("is refused with %s", (_name, kind, content, problem) => {
    expect(problemsOf(kind, content)).toEqual([problem]);
  });
});
