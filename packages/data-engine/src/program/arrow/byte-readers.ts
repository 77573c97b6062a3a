import { isUtf8 } from "node:buffer";
import type { Batch } from "@uwdata/flechette";
import { ArrowFault, damaged } from "./arrow-fault.ts";
import { offsetsOf, type RowMeter } from "./duck-column.ts";

type ReadBytes = (index: number) => Uint8Array;

/** Texts. @throws ArrowFault bytes that are not UTF-8 */
export function textReader(batch: Batch<unknown>, meter: RowMeter): (index: number) => string {
  const read = binaryReader(batch, meter);
  return (index) => {
    const bytes = read(index);
    if (!isUtf8(bytes))
      throw new ArrowFault({
        rule: "utf8",
        message: "A text is not in UTF-8",
        remedy: "Write the texts in UTF-8, or the column as bytes.",
      });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  };
}

/** Bytes by their places, in views, or with `stride` of one length. */
export function binaryReader(batch: Batch<unknown>, meter: RowMeter, stride?: number): ReadBytes {
  const { values, length } = batch;
  if (!(values instanceof Uint8Array)) throw damaged("A column of texts or bytes has none");
  const measured = (start: number, end: number) => {
    meter.take(end - start);
    return values.subarray(start, end);
  };
  if (stride !== undefined) {
    if (stride < 0 || values.length < length * stride) throw damaged("A column has fewer bytes than rows");
    return (index) => measured(index * stride, (index + 1) * stride);
  }
  if ("data" in batch) return viewReader(batch as ViewBatch, meter);
  const offsets = offsetsOf(batch, values.length);
  return (index) => measured(offsets[index] ?? 0, offsets[index + 1] ?? 0);
}

type ViewBatch = Batch<unknown> & { readonly data: readonly Uint8Array[]; readonly values: Uint8Array };

/** Of a view: its length, then the bytes if they are so few, or their first four, which buffer has all, and where. */
const [viewBytes, inlineBytes] = [16, 12];

function viewReader({ values, data, length }: ViewBatch, meter: RowMeter): ReadBytes {
  if (values.length < length * viewBytes) throw damaged("A column has fewer views than rows");
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
  return (index) => {
    const at = index * viewBytes;
    const size = view.getInt32(at, true);
    if (size < 0) throw damaged("A value has a length below zero");
    meter.take(size);
    if (size <= inlineBytes) return values.subarray(at + 4, at + 4 + size);
    const [buffer, start] = [data[view.getInt32(at + 8, true)], view.getInt32(at + 12, true)];
    if (!buffer || start < 0 || start + size > buffer.length) throw damaged("A value lies outside of its buffer");
    return buffer.subarray(start, start + size);
  };
}
