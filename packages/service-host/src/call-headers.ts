/** Headers that belong to the transport; an application's must not replace them. */
const reserved: ReadonlySet<string> = new Set([
  ...["content-type", "te", "user-agent", "host", "connection", "content-length"],
  ...["transfer-encoding", "keep-alive", "content-encoding", "accept-encoding", "date"],
]);

/** Whether a header, in lower case, is the transport's own and no metadata of a call. */
export function isReserved(name: string): boolean {
  return name.startsWith(":") || name.startsWith("grpc-") || name.startsWith("connect-") || reserved.has(name);
}

/** Most bytes of a call's metadata over HTTP/1.1, as of Node's over HTTP/2: a signed context alone may have 16 KiB. */
export const maxHeaderBytes = 64 * 1024 - 1;
