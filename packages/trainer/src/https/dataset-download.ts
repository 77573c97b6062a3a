import type { DownloadDataset } from "../dataset-files/dataset-files.ts";
import type { PlatformAddress } from "./connect-over-https.ts";
import { send, unanswered } from "./gateway-request.ts";

/** A silence after which an answer is given up, ms. */
const silenceMs = 30_000;

/** Reads versions of datasets from the gateway, each attempt once. */
export function datasetDownload({ url, apiKey, pipelineId }: PlatformAddress): DownloadDataset {
  return async ({ runId, versionId, contentSha256, offset, signal }) => {
    const silence = new AbortController();
    const either = AbortSignal.any([signal, silence.signal]);
    const timer = setTimeout(() => silence.abort(new Error(`nothing came for ${silenceMs / 1_000} s`)), silenceMs);
    // An answer that is not read, such as where the disk takes nothing, keeps no process.
    timer.unref();
    const [pipeline, run, version] = [pipelineId, runId, versionId].map(encodeURIComponent);
    const path = `/platform/pipelines/${pipeline}/runs/${run}/datasets/${version}/content`;
    const rest = offset > 0 ? { range: `bytes=${offset}-`, "if-range": `"${contentSha256}"` } : {};
    const headers = { authorization: `Bearer ${apiKey}`, "accept-encoding": "identity", ...rest };
    try {
      const response = await send(url, { method: "GET", path, headers, signal: either });
      return { isRest: response.status === 206, pieces: piecesOf(response, either, timer) };
    } catch (error) {
      clearTimeout(timer);
      throw silence.signal.aborted ? unanswered(silence.signal.reason, undefined) : error;
    }
  };

  async function* piecesOf(response: Response, signal: AbortSignal, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of response.body ?? []) {
        timer.refresh();
        yield piece;
      }
    } catch (error) {
      throw unanswered(signal.aborted ? signal.reason : error, undefined);
    } finally {
      clearTimeout(timer);
    }
  }
}
