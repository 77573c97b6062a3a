const maxSegmentBytes = 255;
// Parts between slashes, none of them empty, `.` or `..`; without control characters, and without what file systems disagree on.
// The contract publishes the same pattern.
const pathPattern =
  /^(?:\.{0,2}[^./\p{Cc}\\:*?"<>|]|\.{3})[^/\p{Cc}\\:*?"<>|]*(?:\/(?:\.{0,2}[^./\p{Cc}\\:*?"<>|]|\.{3})[^/\p{Cc}\\:*?"<>|]*)*$/u;

/** What is wrong with the path of a file below the bundle's folder; undefined when nothing is. */
export function pathProblem(path: string): string | undefined {
  if (!pathPattern.test(path)) {
    return "the path must be relative, without a part that is empty, . or .., a control character, a backslash, a quote or one of : * ? < > |";
  }
  if (path.split("/").some((segment) => Buffer.byteLength(segment) > maxSegmentBytes)) {
    return `the path has a part of more than ${maxSegmentBytes} bytes`;
  }
  return undefined;
}

/** Whether two paths cannot both be files: they are one, or one is the other's folder. Letters' case makes no difference. */
export function collide(some: string, other: string): boolean {
  const [a, b] = [folded(some), folded(other)];
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
