import { toTheMinute } from "./timestamps.ts";

/** A key or a member, as far as its last use goes. */
export interface Used {
  id: string;
  organisationId: string;
  /** As it was last written; to the minute. */
  lastUsedAt: Date | undefined;
}

/** Writes down when something is used, beside the requests that use it. */
export interface UseLog {
  /** Returns at once. Costs at most one write a minute for each that is used. */
  note(used: Used, at: Date): void;
  /** Resolves when what was noted is written. */
  close(): Promise<void>;
}

/** A use that cannot be written is reported and forgotten: it must not cost the caller anything. */
export function createUseLog(o: {
  write: (organisationId: string, id: string, minute: Date) => Promise<void>;
  onFailure: (error: unknown) => void;
}): UseLog {
  const underWay = new Map<string, Promise<void>>();
  return {
    note({ id, organisationId, lastUsedAt }, at) {
      const minute = toTheMinute(at);
      if ((lastUsedAt && lastUsedAt >= minute) || underWay.has(id)) return;
      const written = o
        .write(organisationId, id, minute)
        .catch(o.onFailure)
        .finally(() => underWay.delete(id));
      underWay.set(id, written);
    },
    async close() {
      await Promise.all(underWay.values());
    },
  };
}
