/** The page that shows what a search found. The path of the API names a run's pipeline. */
export function addressOfResult({ kind, id, path }: { kind: string; id: string; path: string }): string {
  const pipeline = /\/pipelines\/([^/]+)\/runs\//.exec(path)?.[1];
  if (kind === "run" && pipeline) return `/runs/${pipeline}/${id}`;
  if (kind === "model") return `/models/${id}`;
  if (kind === "deployment") return `/deployments/${id}`;
  if (kind === "dataset") return `/data/${id}`;
  if (kind === "automation") return `/automations/${id}`;
  if (kind === "email_draft") return `/drafts/${id}`;
  if (kind === "feature") return `/features/${path.split("/").at(-1)}`;
  if (kind === "member") return `/people/members/${id}`;
  if (kind === "workspace") return `/people/workspaces/${id}`;
  return "/";
}
