const [quote, backslash, opening, closing] = [0x22, 0x5c, 0x7b, 0x7d];

/** The texts of the objects in a JSON array of objects, as they are: what a text says is not read. Takes time that grows with its length. */
export function objectsOf(array: Uint8Array): string[] {
  const bytes = Buffer.from(array.buffer, array.byteOffset, array.byteLength);
  const objects: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === opening && depth++ === 0) start = at;
    else if (byte === closing && --depth === 0) objects.push(bytes.toString("utf8", start, at + 1));
  }
  return objects;
}

/** Where the quote stands that ends the text which begins at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
