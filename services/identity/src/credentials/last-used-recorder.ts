/** A key or a member, as far as its last use goes. */
export interface Used {
  id: string;
  organisationId: string;
  /** As it was last stored; to the minute. */
  lastUsedAt: Date | undefined;
}

/** Stores when something is used, beside the requests that use it. */
export interface LastUsedRecorder {
  /** Returns at once. Costs at most one write a minute for each that is used. */
  record(used: Used, at: Date): void;
  /** Resolves when what was recorded is stored. */
  close(): Promise<void>;
}

/** A use that cannot be stored is reported and forgotten: it must not cost the caller anything. */
export function createLastUsedRecorder(o: {
  write: (organisationId: string, id: string, minute: Date) => Promise<void>;
  onFailure: (error: unknown) => void;
}): LastUsedRecorder {
  const underWay = new Map<string, Promise<void>>();
  return {
    record({ id, organisationId, lastUsedAt }, at) {
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

/** The start of the minute: as exactly as the last use of a credential is kept. */
function toTheMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / 60_000) * 60_000);
}
