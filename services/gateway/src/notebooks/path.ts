/** Whose server a path is about, judged before a hub sees it. */
export type PathVerdict = "passes" | "leads nowhere";

/**
 * Paths below /notebooks/ in which a user's name follows; the hub routes by them, and its own check of who may go there
 * is not the only one.
 */
const beforeUser: readonly (readonly string[])[] = [
  ["user"],
  ["hub", "user"],
  ["hub", "spawn"],
  ["hub", "spawn-pending"],
  ["hub", "api", "users"],
  ["hub", "api", "shares"],
];
/** Answered by an operation of ours; in another spelling it would reach a hub. */
const ours = "services/session/api/me";
/** No client encodes a name more often than this on purpose. */
const maxDecodings = 4;

/** Whether the path is the notebooks' at all, as written. */
export function isNotebookPath(url: string): boolean {
  return /^\/notebooks(?:[/?]|$)/.test(url);
}

/**
 * Whether a request of `username` may go to this path (its query is not looked at). What can be read in two ways leads
 * nowhere: dot segments, empty segments, backslashes and slashes in disguise, in any number of encodings; so do another
 * user's server and record, and one's own unless it is written exactly.
 */
export function judgePath(url: string, username: string): PathVerdict {
  const [path = ""] = url.split("?", 1);
  if (!isNotebookPath(path) || !isPlain(path)) return "leads nowhere";
  const written = path.split("/").slice(2);
  const readings = decodings(path).map((reading) => reading.split(/[/\\]/).slice(2));
  const isClear = readings.every((segments) => segments.slice(0, -1).every(isName) && !isDots(segments.at(-1) ?? ""));
  if (!isClear) return "leads nowhere";
  const allowed = readings.every((segments) => mayEnter(segments, { written, username }));
  return allowed ? "passes" : "leads nowhere";
}

/** Without what ends a path or another reader might take for a slash; its encoding is whole. */
function isPlain(path: string): boolean {
  if (/[^!-~]|[\\#]/.test(path)) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The path as it is written, decoded once, twice and so on; beyond the first, byte by byte, as careless readers do. */
function decodings(path: string): string[] {
  const readings = [path];
  for (let reading = path; readings.length <= maxDecodings; readings.push(reading)) {
    const next = reading.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === reading) break;
    reading = next;
  }
  return readings;
}

function mayEnter(segments: readonly string[], o: { written: readonly string[]; username: string }): boolean {
  // Some servers cut parameters off: `user;x`.
  const lower = segments.map((segment) => segment.toLowerCase().split(";", 1)[0] ?? "");
  const end = lower.findLastIndex((segment) => segment !== "") + 1;
  if (lower.slice(0, end).join("/") === ours) return false;
  const prefix = beforeUser.find((names) => names.every((name, at) => lower[at] === name));
  if (!prefix || (lower[prefix.length] ?? "") === "") return true;
  // Letter by letter, so that no handling of capitals and encodings by a hub can lead to another user's name.
  return [...prefix, o.username].every((name, at) => o.written[at] === name);
}

function isName(segment: string): boolean {
  return segment !== "" && !isDots(segment);
}

/** Also with the parameters that some servers cut off: `..;x`. */
function isDots(segment: string): boolean {
  return /^\.{1,2}(?:;|$)/.test(segment.trim());
}
