import { SettingsError } from "@aiplatform/service-host";
import { routePaths } from "@aiplatform/transcoder";
import { servicesByUpstream } from "../upstreams/upstreams.ts";

/** What the gateway answers beside operations. */
const otherPages = ["docs", "notebooks"];

/** First names of all paths that are not the console's. */
function takenNames(): ReadonlySet<string> {
  const paths = routePaths([...servicesByUpstream.values()].flat());
  return new Set([...otherPages, ...paths.map(firstName)]);
}

const firstName = (path: string) => path.split("/", 2)[1] ?? "";

/** Below a name of the API, the console would hide operations, or those of a later version. @throws SettingsError */
export function assertFreeConsolePath(path: string): void {
  const name = firstName(path.toLowerCase());
  if (!takenNames().has(name)) return;
  throw new SettingsError([
    `CONSOLE_PATH must not begin with /${name}/, which the API or another page has; choose another first name, such as /console/`,
  ]);
}
