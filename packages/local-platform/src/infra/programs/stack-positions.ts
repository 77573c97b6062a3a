// Loaded in front of a bundled program: stack traces name the sources. Node's own --enable-source-maps reads all maps at the
// start, which takes longer than the rest of it; here a map is read when a stack first has need of it.
import { readFileSync } from "node:fs";
import { SourceMap, type SourceOrigin } from "node:module";
import { fileURLToPath } from "node:url";

const maps = new Map<string, SourceMap | undefined>();

/** The map of a bundle; undefined for any other file. */
function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")));
  } catch {
    return undefined;
  }
}

const isKnown = (origin: object): origin is SourceOrigin => "fileName" in origin;

/** The frame as Node writes it, with the position in the source where it has a map. */
function described(frame: NodeJS.CallSite): string {
  const text = frame.toString();
  const [url, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!url?.startsWith("file:") || line === null || column === null) return text;
  const origin = mapOf(url)?.findOrigin(line, column) ?? {};
  if (!isKnown(origin)) return text;
  const source = new URL(origin.fileName, url).href;
  return text.replace(`${url}:${line}:${column}`, `${source}:${origin.lineNumber}:${origin.columnNumber}`);
}

Error.prepareStackTrace = (error, frames) => [error, ...frames.map((frame) => `    at ${described(frame)}`)].join("\n");
