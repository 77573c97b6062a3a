import {
  type DatasetStatistics,
  DatasetStatisticsSchema,
} from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import type { DomainPlatform } from "@aiplatform/service-kit";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { onData, type ReadRowsDependencies, readyVersion } from "../dataset-rows/read-rows.ts";
import type { ReadyVersion, VersionRef } from "../dataset-versions/dataset-version.ts";
import { statisticsMessage } from "./statistics-message.ts";
import type { StatisticsStore } from "./statistics-store.ts";

interface Dependencies extends ReadRowsDependencies, Pick<DomainPlatform, "transaction" | "signal"> {
  statistics: StatisticsStore;
}

/** Computes the statistics of versions once, and keeps them. */
export class StatisticsReader {
  readonly #dependencies: Dependencies;
  /** By version: requests at the same time wait for one computation. */
  readonly #underWay = new Map<string, Promise<DatasetStatistics>>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws DatasetVersionNotFoundError, DatasetVersionNotReadyError, and what the engine and the cache throw */
  async read(ref: VersionRef, signal: AbortSignal): Promise<DatasetStatistics> {
    const version = await readyVersion(this.#dependencies, ref);
    const kept = await this.#dependencies.statistics.find(ref);
    if (kept) return fromBinary(DatasetStatisticsSchema, kept);
    const computation = this.#underWay.get(ref.versionId) ?? this.#begin(version, ref);
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    return await Promise.race([computation, aborted.promise]);
  }

  /** It goes on when the caller has left: who asks again finds the result. */
  #begin(version: ReadyVersion, ref: VersionRef): Promise<DatasetStatistics> {
    const computation = this.#compute(version, ref).finally(() => this.#underWay.delete(ref.versionId));
    computation.catch(() => undefined);
    this.#underWay.set(ref.versionId, computation);
    return computation;
  }

  async #compute(version: ReadyVersion, ref: VersionRef): Promise<DatasetStatistics> {
    const { engine, statistics, transaction, signal } = this.#dependencies;
    const { organisationId } = ref;
    const computed = await onData(this.#dependencies, version, signal, (path) =>
      engine.statistics({ organisationId, files: [path], signal }),
    );
    const message = statisticsMessage(computed);
    const bytes = toBinary(DatasetStatisticsSchema, message);
    await transaction(async (session) => {
      // Not kept for a version that was purged meanwhile: nothing of its data may stay.
      if (await this.#dependencies.versions.claimReady(ref, session)) await statistics.put(ref, bytes, session);
    });
    return message;
  }
}
