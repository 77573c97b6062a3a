import { datatypes, type TensorData } from "./datatypes.ts";
import { elementsOf, invalid, type Tensor, type TensorHead } from "./tensor.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();
/** Before each text of a BYTES tensor stands its length. */
const lengthBytes = 4;

/** Reads a tensor from the protocol's bytes: little-endian, row-major. @throws PredictionError naming the place */
export function tensorFromBytes(place: string, head: TensorHead, bytes: Uint8Array): Tensor {
  const { datatype, shape } = head;
  const wanted = elementsOf(shape);
  if (datatype === "BYTES") {
    const texts = readTexts(place, bytes);
    if (texts.length !== wanted) {
      throw invalid(`${place} has ${texts.length} elements; the shape [${shape}] takes ${wanted}`);
    }
    return { ...head, data: texts };
  }
  const rule = datatypes[datatype];
  if (bytes.byteLength !== wanted * rule.bytes) {
    throw invalid(`${place} has ${bytes.byteLength} bytes; ${datatype} of [${shape}] takes ${wanted * rule.bytes}`);
  }
  // A copy begins where its type wants it to; what came over the wire begins anywhere.
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return { ...head, data: rule.fromBytes(copy) };
}

function readTexts(place: string, bytes: Uint8Array): string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  let at = 0;
  while (at < bytes.byteLength) {
    const start = at + lengthBytes;
    const end = start <= bytes.byteLength ? start + view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (end > bytes.byteLength) throw invalid(`${place} ends within an element`);
    texts.push(decodeText(place, bytes.subarray(start, end)));
    at = end;
  }
  return texts;
}

/** @throws PredictionError when the bytes are not UTF-8 */
export function decodeText(place: string, bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid(`${place} holds what is no UTF-8`);
  }
}

/** A tensor's elements as the protocol's bytes. */
export function bytesOfTensor({ data }: { readonly data: TensorData }): Uint8Array {
  if (!Array.isArray(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const texts = data.map((text) => encoder.encode(text));
  const all = new Uint8Array(texts.reduce((total, text) => total + lengthBytes + text.byteLength, 0));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const text of texts) {
    view.setUint32(at, text.byteLength, true);
    all.set(text, at + lengthBytes);
    at += lengthBytes + text.byteLength;
  }
  return all;
}
