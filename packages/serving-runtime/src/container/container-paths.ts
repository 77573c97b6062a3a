/** Where a container finds what it serves; the pod's creator mounts it there. */
export const containerPaths = {
  /** The version's files. */
  directory: "/serving/files",
  /** `token`, `manifest.json` and `files.json`. */
  settings: "/serving/settings",
  /** `tls.crt` and `tls.key` of the instance, where there is TLS to it. */
  certificate: "/serving/certificate",
  /** `ca.crt`: who certifies the server of the files, where there is TLS to it. */
  filesAuthority: "/serving/files-authority",
} as const;

/** Where a container listens. HTTP has another port with TLS, so that a Service can lead to pods with it and without it. */
export const containerPorts = { http: 8_000, https: 8_443, grpc: 8_001 } as const;
