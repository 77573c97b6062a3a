import { type ApiKey, toTheMinute } from "./api-key.ts";
import type { ApiKeyStore } from "./api-key-store.ts";

/** Writes down when keys are used, beside the requests that use them. */
export interface UseLog {
  /** Returns at once. A key costs at most one write a minute. */
  note(apiKey: ApiKey, at: Date): void;
  /** Resolves when what was noted is written. */
  close(): Promise<void>;
}

/** A use that cannot be written is reported and forgotten: it must not cost the caller anything. */
export function createUseLog(o: {
  apiKeys: Pick<ApiKeyStore, "noteUse">;
  onFailure: (error: unknown) => void;
}): UseLog {
  const underWay = new Map<string, Promise<void>>();
  return {
    note({ id, organisationId, lastUsedAt }, at) {
      const minute = toTheMinute(at);
      if ((lastUsedAt && lastUsedAt >= minute) || underWay.has(id)) return;
      const written = o.apiKeys
        .noteUse(organisationId, id, minute)
        .catch(o.onFailure)
        .finally(() => underWay.delete(id));
      underWay.set(id, written);
    },
    async close() {
      await Promise.all(underWay.values());
    },
  };
}
