/** What a request for a prediction names. */
export interface PredictionPath {
  /** uuid, in lower case. */
  readonly deploymentId: string;
  /** Path and query that an instance is asked for. */
  readonly asked: string;
}

/** The path as it is declared. */
export const predictionRoute = "/platform/deployments/{deployment_id}/v2/*";

const ours = /^\/platform\/deployments\/(?<id>[^/?]+)(?<asked>\/v2(?:[/?].*)?)$/s;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the path is below a deployment's `/v2`. */
export function isPredictionPath(url: string): boolean {
  return ours.test(url);
}

/** Reads the path; undefined for one that leads nowhere: no uuid, or written so that another reader sees another path. */
export function readPredictionPath(url: string): PredictionPath | undefined {
  const { id = "", asked = "" } = ours.exec(url)?.groups ?? {};
  const [path = ""] = asked.split("?", 1);
  return uuid.test(id) && isPlain(path) ? { deploymentId: id.toLowerCase(), asked } : undefined;
}

/** Printable, with whole encodings, and without what steps aside or what some take for a slash. */
function isPlain(path: string): boolean {
  if (/[^!-~]|[\\#;]|%(?![0-9a-f]{2})|%(?:2e|2f|5c|25|3b|[01][0-9a-f]|7f)/i.test(path)) return false;
  const [, ...segments] = path.split("/");
  return segments.every((segment, at) => (segment !== "" || at === segments.length - 1) && !/^\.{1,2}$/.test(segment));
}
