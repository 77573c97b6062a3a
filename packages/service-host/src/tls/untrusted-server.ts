/** Why the handshake with a server failed, in words, by the code that Node or OpenSSL has for it. */
const reasons: readonly [pattern: RegExp, reason: string][] = [
  [/ALTNAME_INVALID/, "its certificate names another server"],
  [/CERT_HAS_EXPIRED/, "its certificate has expired"],
  [/CERT_NOT_YET_VALID/, "its certificate is not valid yet"],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, "it does not speak TLS 1.3"],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER|HTTP_REQUEST|EPROTO/, "it does not speak TLS"],
  [
    /SELF_SIGNED|UNABLE_TO|CERT_|INVALID_CA|INVALID_PURPOSE/,
    "its certificate is of no authority that is believed here",
  ],
];

/**
 * Why a server did not prove itself, as a clause after its name; undefined for an error of another kind. Nothing has been
 * sent to such a server.
 */
export function untrustedServer(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const code = String(error.code);
  return reasons.find(([pattern]) => pattern.test(code))?.[1];
}
