import { createHash } from "node:crypto";

/** What a checkpoint file says of itself besides the training state. */
export interface CheckpointLabel {
  /** uuid. */
  id: string;
  segmentIndex: number;
  /** Measured at this very step, by name. */
  metrics: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** A file that is no intact checkpoint. */
export class CheckpointFileError extends Error {
  override name = "CheckpointFileError";
  readonly path: string;
  constructor(path: string, problem: string) {
    super(`checkpoint ${path} ${problem}`);
    this.path = path;
  }
}

/** How a training state becomes the bytes of a file, and comes back to the last bit. */
export interface CheckpointCodec<State> {
  encode(label: CheckpointLabel, state: State): Uint8Array;
  /** @throws CheckpointFileError, naming `path`, when the bytes are damaged or another trainer's */
  decode(path: string, bytes: Uint8Array): { label: CheckpointLabel; state: State };
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** For states that JSON can hold: a line with the SHA-256 of the next, then label and state. */
export function jsonCodec<State>(): CheckpointCodec<State> {
  return {
    encode(label, state) {
      const text = JSON.stringify({ label, state });
      return Buffer.from(`${digestOf(text)}\n${text}`);
    },
    decode(path, bytes) {
      const [digest, text = ""] = Buffer.from(bytes).toString().split("\n");
      if (digest !== digestOf(text)) {
        throw new CheckpointFileError(path, "is damaged: its checksum does not match its content");
      }
      return JSON.parse(text);
    },
  };
}
