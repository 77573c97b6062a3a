import type { Progress } from "@aiplatform/data-engine";
import type { HeldLease } from "@aiplatform/document-store";
import type { DatasetVersionStore } from "./version-store.ts";

/** Between two notes, ms. */
const everyMs = 2_000;

/** Notes how far the reading of a version is, at most every two seconds. */
export class ReadingProgress {
  readonly #versions: Pick<DatasetVersionStore, "noteProgress">;
  readonly #held: HeldLease;
  readonly #sourceBytes: number;
  #dueAt = 0;
  #isWriting = false;

  /** `sourceBytes`: of the files as they were uploaded; what is unpacked is larger. */
  constructor(versions: Pick<DatasetVersionStore, "noteProgress">, held: HeldLease, sourceBytes: number) {
    this.#versions = versions;
    this.#held = held;
    this.#sourceBytes = sourceBytes;
  }

  readonly note = ({ bytesRead, bytesTotal }: Progress): void => {
    if (bytesRead === 0 || this.#isWriting || performance.now() < this.#dueAt) return;
    this.#dueAt = performance.now() + everyMs;
    this.#isWriting = true;
    const bytes = Math.floor((this.#sourceBytes * bytesRead) / bytesTotal);
    // A note that fails is followed by another one, and reading does not wait for it.
    void this.#versions
      .noteProgress(this.#held, bytes)
      .catch(() => undefined)
      .finally(() => {
        this.#isWriting = false;
      });
  };
}
