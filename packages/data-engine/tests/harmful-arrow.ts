// Arrow files that are made to take far more memory or time than they have bytes.
import * as arrow from "@uwdata/flechette";
import { FlatMetadata } from "../src/program/arrow/flat-metadata.ts";
import { arrowFile, type Columns, rawArrow } from "./arrow-files.ts";

/** One row of lists of lists of nothing: a few hundred bytes. */
export function nestedNulls(count: number): Buffer {
  const type = arrow.nullType();
  const inner = arrow.fixedSizeList(type, count);
  const none = { nullCount: 0, validity: Uint8Array.of() };
  const nulls = new arrow.Batch<unknown>({ ...none, length: count * count, type });
  const lists = new arrow.Batch<unknown>({ ...none, length: count, children: [nulls], type: inner });
  return rawArrow(arrow.fixedSizeList(inner, count), { ...none, length: 1, children: [lists] });
}

/** Metadata and body of the messages of a stream, each with its prefix. */
function messagesOf(stream: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; stream.readInt32LE(at + 4) !== 0; at += messages.at(-1)?.length ?? 0) {
    const end = stream.indexOf(Buffer.of(255, 255, 255, 255), at + 8);
    messages.push(stream.subarray(at, end));
  }
  return messages;
}

const endOfStream = Buffer.of(255, 255, 255, 255, 0, 0, 0, 0);

/** A dictionary that grows by a word, again and again. */
export function additions(count: number): Buffer {
  const type = arrow.dictionary(arrow.utf8(), arrow.int8());
  const words = arrow.columnFromArray(["x", "y"], type.dictionary, { maxBatchRows: 1 });
  const [batch] = arrow.columnFromArray(["x"], type).data;
  if (!(batch && "setDictionary" in batch && typeof batch.setDictionary === "function")) throw new Error("no batch");
  batch.setDictionary(words);
  const table = arrow.tableFromColumns([["a", new arrow.Column([batch], type)]]);
  const [schema, first, addition, rows] = messagesOf(Buffer.from(arrow.tableToIPC(table, { format: "stream" }) ?? []));
  if (!(schema && first && addition && rows)) throw new Error("no messages");
  return Buffer.concat([schema, first, ...Array.from({ length: count }, () => addition), rows, endOfStream]);
}

/** Columns whose names all lead to one text, of which a reader makes one for each. */
export function sharedName(columns: number, bytes: number): Buffer {
  const named = Array.from({ length: columns }, (_, index): Columns[number] => [`c${index}`, [], arrow.int8()]);
  const [schema = Buffer.of()] = messagesOf(arrowFile(named, { format: "stream" }));
  const metadata = schema.subarray(8);
  const at = Math.ceil(metadata.length / 8) * 8;
  const all = Buffer.alloc(at + 8 + bytes, "n");
  metadata.copy(all);
  all.writeInt32LE(bytes, at);
  const flat = new FlatMetadata(all);
  const { start, count } = flat.list(flat.table(flat.table(0)(2) ?? 0)(1) ?? 0, 4);
  for (let index = 0; index < count; index++) {
    const place = flat.table(start + 4 * index)(0) ?? 0;
    all.writeInt32LE(at - place, place);
  }
  const prefix = Buffer.from(endOfStream);
  prefix.writeInt32LE(all.length, 4);
  return Buffer.concat([prefix, all, endOfStream]);
}
