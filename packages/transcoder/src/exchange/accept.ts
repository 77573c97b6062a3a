/** The weight with which `Accept` names a media type; 0: it does not name it, whatever its wildcards say. */
export function weightOf(accept: string, type: string): number {
  const range = accept.split(",").find((candidate) => candidate.split(";")[0]?.trim().toLowerCase() === type);
  if (range === undefined) return 0;
  const quality = /;\s*q=([0-9.]+)/i.exec(range)?.[1];
  return quality === undefined ? 1 : Number(quality);
}

/**
 * The first of these media types that `Accept` names with a higher weight than JSON; undefined: JSON. Clients that list all types
 * of a description get JSON, as do those that name none of them.
 */
export function chooseAlternative(accept: string | undefined, alternatives: readonly string[]): string | undefined {
  if (accept === undefined) return undefined;
  const ofJson = weightOf(accept, "application/json");
  return alternatives.find((type) => weightOf(accept, type) > ofJson);
}
