/** The one cause that another port repairs. */
export const portTakenCause = "another program has taken its port";

/** What a log says of an end, and what that means for people: the first row that matches. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/no space left on device|"error":28\b|disk quota exceeded/i, "the disk is full, free some space"],
  [/read-only file system|permission denied|operation not permitted/i, "it may not write to its folder"],
  [/address already in use/i, portTakenCause],
  [/cannot allocate memory|out of memory/i, "there is not enough memory"],
  [/too many open files/i, "too many files are open, raise the limit (ulimit -n)"],
];

/** Why mongod or nats-server ended, by what it logged since its start; undefined when it said nothing of it. */
export function endCause(lines: readonly string[]): string | undefined {
  const complaints = lines.flatMap(complaintOf);
  const known = causes.find(([pattern]) => complaints.some(({ line }) => pattern.test(line)));
  return known?.[1] ?? complaints[0]?.says;
}

interface Complaint {
  line: string;
  says: string;
}

/** mongod logs JSON with a severity, nats-server a word in brackets; what is neither comes from the system, before any log. */
function complaintOf(line: string): Complaint[] {
  if (!line.startsWith("{")) {
    const [, level, says = line] = /\[(\w{3})\] (.*)$/.exec(line) ?? [];
    return line !== "" && (level === undefined || level === "ERR" || level === "FTL") ? [{ line, says }] : [];
  }
  try {
    const { s, msg, attr } = JSON.parse(line);
    const error = attr?.error === undefined ? "" : ` ${JSON.stringify(attr.error)}`;
    return s === "E" || s === "F" ? [{ line, says: `${msg}${error}` }] : [];
  } catch {
    return [];
  }
}
