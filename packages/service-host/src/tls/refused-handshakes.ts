import type { TLSSocket } from "node:tls";
import type { Logger } from "../logger.ts";

/** At most one line in this time, however many knock. */
const everyMs = 10_000;

/** The part of a server of Node's that says whom it refused before any call. */
interface TlsServer {
  on(event: "tlsClientError", listener: (error: Error, socket: TLSSocket) => void): unknown;
}

/** Why a handshake failed, in words of the mesh, by the code that Node or OpenSSL has for it. */
const reasons: readonly [pattern: RegExp, reason: string][] = [
  [/PEER_DID_NOT_RETURN_A_CERTIFICATE/, "the client has no certificate"],
  [
    /WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG|RECORD_LAYER|BAD_RECORD_TYPE/,
    "the client does not speak TLS",
  ],
  [/UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW|NO_PROTOCOLS_AVAILABLE/, "the client does not speak TLS 1.3"],
  [/CERT_HAS_EXPIRED/, "the client's certificate has expired"],
  [/SELF_SIGNED|UNABLE_TO|CERT_|INVALID_CA/, "the client's certificate is of no authority in TLS_CA_FILE"],
  [/ALERT/, "the client refused our certificate"],
  [/ECONNRESET/, "the client left during the handshake"],
];

/** Logs who was refused at a port for want of a certificate: the first at once, then at most a line in ten seconds. */
export function logRefusedHandshakes(server: TlsServer, { logger, port }: { logger: Logger; port: string }): void {
  let quietUntil = 0;
  let unsaid = 0;
  server.on("tlsClientError", (error, socket) => {
    const now = performance.now();
    if (now < quietUntil) return void unsaid++;
    quietUntil = now + everyMs;
    const code = refusalCode(error, socket);
    const reason = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? "the handshake failed";
    const facts = { port, reason, code, peer: socket.remoteAddress, ...(unsaid > 0 ? { refused_before: unsaid } : {}) };
    unsaid = 0;
    logger.warn(facts, "connection refused");
  });
}

/** Node ends a connection whose certificate does not verify without an error of its own, and leaves the reason behind. */
function refusalCode(error: Error, { authorizationError }: TLSSocket): string {
  if (authorizationError) return String(authorizationError);
  return "code" in error ? String(error.code) : error.name;
}
