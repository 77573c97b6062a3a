/** What every function that waits takes besides the platform and the ids. */
export interface WaitOptions {
  /** Ends the wait: it fails with the signal's reason. */
  signal?: AbortSignal;
}
