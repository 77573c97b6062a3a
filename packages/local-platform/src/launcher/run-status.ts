import type { Description } from "./description.ts";

const timeoutMs = 5_000;

/** How the demo run is, such as `paused`; undefined where the platform does not say so in time. */
export async function runStatus({ gateway, pipeline_id, run_id, api_key }: Description): Promise<string | undefined> {
  const url = `${gateway}/pipelines/${pipeline_id}/runs/${run_id}/metrics/?max_points=0`;
  try {
    const headers = { authorization: `Bearer ${api_key}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
    const metrics: unknown = await response.json();
    if (typeof metrics !== "object" || metrics === null || !("status" in metrics)) return undefined;
    return typeof metrics.status === "string" ? metrics.status : undefined;
  } catch {
    return undefined;
  }
}
