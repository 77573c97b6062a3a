const maxSegmentBytes = 255;
// Control characters, and what no file system of ours agrees on.
const forbidden = /[\p{Cc}\p{Cs}\\:*?"<>|]/u;

/** What is wrong with the path of a file below the bundle's folder; undefined when nothing is. */
export function pathProblem(path: string): string | undefined {
  if (path.startsWith("/")) return "the path is not relative";
  if (forbidden.test(path)) return "the path has a character that no path may have";
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "the path has an empty part, or . or .. for one";
  }
  if (segments.some((segment) => Buffer.byteLength(segment) > maxSegmentBytes)) {
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
