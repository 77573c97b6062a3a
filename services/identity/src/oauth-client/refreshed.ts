/** How long what was read is used, ms. */
export interface RefreshTimes {
  /** After that it is read again when it is next needed. */
  readonly freshForMs: number;
  /** After that it is no longer used, should reading fail for so long. */
  readonly usableForMs: number;
  /** Between two attempts, while the first value is used. */
  readonly retryAfterMs: number;
}

/**
 * Reads something once for all who need it, and again when it is no longer fresh. While it cannot be read again, the former value is used
 * on. Rejects as `read` does where there is no usable value.
 */
export function refreshed<T>(
  read: () => Promise<T>,
  { freshForMs, usableForMs, retryAfterMs, now }: RefreshTimes & { now: () => Date },
): () => Promise<T> {
  let known: { value: T; readAt: number } | undefined;
  let reading: Promise<T> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const readNow = async () => {
    try {
      const value = await read();
      known = { value, readAt: now().getTime() };
      return value;
    } catch (error) {
      failedAt = now().getTime();
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    const time = now().getTime();
    const age = known ? time - known.readAt : Number.POSITIVE_INFINITY;
    const mayWait = age > freshForMs && time - failedAt <= retryAfterMs;
    if (known && (age <= freshForMs || (mayWait && age <= usableForMs))) return known.value;
    reading ??= readNow();
    const former = known;
    if (!former || age > usableForMs) return await reading;
    return await reading.catch(() => former.value);
  };
}
