/** Where a container finds what it serves; the pod's creator mounts it there. */
export const containerPaths = {
  /** The version's files. */
  directory: "/serving/files",
  /** `token`, `manifest.json` and `files.json`. */
  settings: "/serving/settings",
} as const;

/** Where a container listens. */
export const containerPorts = { http: 8_000, grpc: 8_001 } as const;
