/**
 * Looks at the base URL of a hub. Paths pass the gateway unchanged, so the hub's begin as ours do. Throws an Error whose
 * message completes "<NAME> …".
 */
export function assertHubUrl({ protocol, pathname, username, password, search, hash }: URL): void {
  const isPlain = username + password + search + hash === "";
  const isHttp = protocol === "http:" || protocol === "https:";
  if (isHttp && isPlain && /^\/notebooks\/?$/.test(pathname)) return;
  throw new Error("must be an http or https URL whose path is /notebooks, such as https://hub.example/notebooks");
}
