import type { DataEngine } from "@aiplatform/data-engine";
import type { ParquetCache } from "../parquet-cache/parquet-cache.ts";
import type { EarlierVectors } from "./embed-batch.ts";
import type { ReadyEmbedding } from "./embedding.ts";
import { vectorRows } from "./vector-rows.ts";

interface Dependencies {
  engine: Pick<DataEngine, "query">;
  cache: Pick<ParquetCache, "use">;
}

/** Vectors of an earlier embedding of the same recipe, by the digests of their inputs. */
export function earlierVectors({ engine, cache }: Dependencies, earlier: ReadyEmbedding): EarlierVectors {
  const { organisationId, data } = earlier;
  return {
    find: (keys, signal) =>
      cache.use({ organisationId, ...data }, signal, async (path) => {
        const unique = [...new Set(keys)];
        const places = unique.map((_, at) => `$${at + 1}`).join(", ");
        const sql = `SELECT "key", any_value(vector) AS vector FROM vectors WHERE "key" IN (${places}) GROUP BY "key"`;
        const views = { vectors: [path] };
        const wanted = { organisationId, views, sql, parameters: unique, limit: unique.length, maxBytes, signal };
        const page = await engine.query(wanted);
        return new Map(vectorRows(page.body).map(({ key, vector }) => [key, Float32Array.from(vector)]));
      }),
  };
}

/** Of the vectors of one batch, as JSON. */
const maxBytes = 8_388_608;
