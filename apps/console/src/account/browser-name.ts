/** By what a browser says, the most special first: each names those that it descends from. */
const browsers: readonly [mark: string, name: string][] = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];

const systems: readonly [mark: string, name: string][] = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
];

/** A short name for what a browser says it is, such as `Firefox on Linux`. What is not known is shown as it is. */
export function browserName(userAgent: string): string {
  const nameIn = (known: typeof browsers) => known.find(([mark]) => userAgent.includes(mark))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
