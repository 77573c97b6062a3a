/** Header that names another port of the same host for the same service (RFC 7838). */
export const alternativeHeader = "alt-svc";

/** Header with which a port shows that it is the one that was named. */
export const proofHeader = "x-port-proof";

/** Where a service answers over HTTP/1.1. */
export interface Alternative {
  readonly port: number;
  /**
   * What that port answers, too. Whatever else has the port at an address that is forwarded or translated does not, and must be
   * sent no credential.
   */
  readonly proof: string;
}

/** The value of the header; the protocol is written as the RFC wants it. */
export function alternativeAt({ port, proof }: Alternative): string {
  return `http%2F1.1=":${port}"; proof="${proof}"`;
}

/** What the header's value says of HTTP/1.1; undefined where it says nothing that can be used. */
export function alternativeOf(value: string): Alternative | undefined {
  const [, port, proof] = /(?:^|,)\s*http%2F1\.1=":(\d{1,5})"\s*;\s*proof="([^"]+)"/i.exec(value) ?? [];
  return port === undefined || proof === undefined ? undefined : { port: Number(port), proof };
}
