import { copyFileSync, statSync, truncateSync } from "node:fs";

export interface LogBounds {
  /** What a file may grow to; what it held then is kept beside it as `<file>.1`, in place of what was kept before. Default 16 MiB. */
  maxBytes?: number;
  /** How often that is looked at, ms. Default 5,000. */
  everyMs?: number;
}

/**
 * Keeps a log from growing for as long as its process runs. The writer has to append: the file is emptied while it is
 * open. A line that is written at that moment may be missing from both files. Returns how to stop.
 */
export function boundLog(file: string, { maxBytes = 16 * 1024 * 1024, everyMs = 5_000 }: LogBounds = {}): () => void {
  const look = () => {
    try {
      if (statSync(file).size <= maxBytes) return;
      copyFileSync(file, `${file}.1`);
      truncateSync(file);
    } catch {
      // It was taken away, or the disk is full: the process goes on, and so does the next look.
    }
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}
