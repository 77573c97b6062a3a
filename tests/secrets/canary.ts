import { randomUUID } from "node:crypto";

/** Where a secret could turn up. */
export type Sink = "answer" | "database" | "event" | "log" | "metric" | "trace";

/** A text that was sent somewhere, and where it may be found again. */
export interface Canary {
  readonly text: string;
  /** Where it was put. */
  readonly where: string;
  readonly mayAppear: ReadonlySet<Sink>;
}

/** First eight digits of every canary: whatever has them is one, in whatever form. */
const mark = "ca9a12ee";
const pattern = new RegExp(`${mark}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}`, "gi");
/** The mark as three neighbours of a base64 text show it, and as the bytes of a UUID. */
const disguises: readonly (readonly [string, string | Buffer])[] = [
  ...[0, 1, 2].map((offset) => ["in base64", base64At(mark, offset)] as const),
  ["as bytes", Buffer.from(mark, "hex")],
  ["in hex", Buffer.from(mark).toString("hex")],
];

/** What base64 makes of a text that begins `offset` bytes after the start of a group, without what its neighbours decide. */
function base64At(text: string, offset: number): string {
  const encoded = Buffer.from(`${"\0".repeat(offset)}${text}`)
    .toString("base64")
    .replaceAll("=", "");
  return encoded.slice(offset === 0 ? 0 : offset + 1, -1);
}

/** Canaries are UUIDs: valid as ids, names, slugs, tokens and header values alike. */
export class Canaries {
  readonly #canaries = new Map<string, Canary>();
  /** Secrets the platform made, by their text. */
  readonly #minted = new Map<string, Canary>();

  get size(): number {
    return this.#canaries.size + this.#minted.size;
  }

  /** A new one, to be put `where`; it may turn up in `mayAppear` and nowhere else. */
  make(where: string, mayAppear: readonly Sink[] = []): string {
    const text = `${mark}${randomUUID().slice(8)}`;
    this.#canaries.set(text, { text, where, mayAppear: new Set(mayAppear) });
    return text;
  }

  /** Watches for a secret that the platform made itself. */
  watch(where: string, text: string): string {
    if (text.length < 16) throw new Error(`${where} is too short to be recognised`);
    this.#minted.set(text, { text, where, mayAppear: new Set() });
    return text;
  }

  /** Where those were put that `bytes` has although they must not appear in `sink`. */
  leaks(sink: Sink, bytes: Buffer): string[] {
    const text = bytes.toString("latin1");
    const leaked = this.seen(bytes).filter(({ mayAppear }) => !mayAppear.has(sink));
    const minted = [...this.#minted.values()].filter((secret) => text.includes(secret.text));
    const disguised = disguises.filter(([, disguise]) => bytes.includes(disguise)).map(([how]) => `one ${how}`);
    return [...[...leaked, ...minted].map(({ where }) => where), ...disguised];
  }

  /** The canaries that `bytes` has, allowed or not. */
  seen(bytes: Buffer): Canary[] {
    const found = new Set(
      bytes
        .toString("latin1")
        .match(pattern)
        ?.map((text) => text.toLowerCase()),
    );
    return [...found].map((text) => {
      const dashed = text.replaceAll("-", "").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      return this.#canaries.get(dashed) ?? { text, where: `unknown ${text}`, mayAppear: new Set<Sink>() };
    });
  }
}
