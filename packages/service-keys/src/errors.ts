/** The files do not hold keys that can be used; the message names file and remedy. */
export class ServiceKeyError extends Error {
  override name = "ServiceKeyError";
}

/** Something was not signed by a known service. The message holds nothing of what was received. */
export class SignatureError extends Error {
  override name = "SignatureError";
}
