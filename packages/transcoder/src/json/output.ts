/** JSON under construction: texts, and bytes that other code has rendered. */
export class JsonOutput {
  #text = "";
  #chunks: Uint8Array[] | undefined;

  text(text: string): void {
    this.#text += text;
  }

  /** Passes rendered JSON on as it is; nothing stands for null. */
  bytes(utf8: Uint8Array): void {
    if (utf8.length === 0) {
      this.#text += "null";
      return;
    }
    this.#chunks ??= [];
    this.#chunks.push(Buffer.from(this.#text), utf8);
    this.#text = "";
  }

  /** All of it: a text, unless rendered bytes are part of it. */
  finish(): string | Buffer<ArrayBuffer> {
    return this.#chunks === undefined ? this.#text : Buffer.concat(this.pieces());
  }

  /** All of it in order: rendered bytes as they were given, and the texts between them. */
  pieces(): Uint8Array[] {
    return [...(this.#chunks ?? []), Buffer.from(this.#text)];
  }
}
