/** JSON under construction: texts, and bytes that somebody else has rendered. */
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

  /** All of it. */
  finish(): Buffer {
    const rest = Buffer.from(this.#text);
    return this.#chunks === undefined ? rest : Buffer.concat([...this.#chunks, rest]);
  }
}
