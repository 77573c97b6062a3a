// Loaded in front of a bundled program: stack traces name the sources. Node's own --enable-source-maps reads all maps at the
// start, which takes longer than the rest of it; here a map is read when a stack first has need of it.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type SourceLines, sourceLines } from "./source-lines.ts";

interface BundleMap extends SourceLines {
  /** URL of each source. */
  urls: string[];
}

const maps = new Map<string, BundleMap | undefined>();

/** The map of a bundle; undefined for any other file. */
function mapOf(url: string): BundleMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url: string): BundleMap | undefined {
  try {
    const path = fileURLToPath(url);
    const map: { sources: string[]; mappings: string } = JSON.parse(readFileSync(`${path}.map`, "utf8"));
    const urls = map.sources.map((source) => pathToFileURL(resolve(dirname(path), source)).href);
    return { urls, ...sourceLines(map.mappings, map.mappings.split(";").length) };
  } catch {
    return undefined;
  }
}

/** The frame as Node writes it, with the line of the source where it has a map. */
function described(frame: NodeJS.CallSite): string {
  const text = frame.toString();
  const url = frame.getFileName();
  const bundleLine = frame.getLineNumber();
  if (!url?.startsWith("file:") || bundleLine === null) return text;
  const map = mapOf(url);
  const source = map?.urls[map.sources[bundleLine - 1] ?? -1];
  if (!map || source === undefined) return text;
  return text.replace(`${url}:${bundleLine}:${frame.getColumnNumber()}`, `${source}:${map.lines[bundleLine - 1]}`);
}

Error.prepareStackTrace = (error, frames) => [error, ...frames.map((frame) => `    at ${described(frame)}`)].join("\n");
