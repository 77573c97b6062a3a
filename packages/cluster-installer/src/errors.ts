/** Something the installation needs is missing or failed; the message says what, and what to do. */
export class InstallError extends Error {
  override name = "InstallError";
}

/** kubectl ended with a failure; the message is its last words. */
export class KubectlError extends InstallError {
  override name = "KubectlError";
  readonly command: string;
  constructor(args: readonly string[], complaint: string) {
    super(`kubectl ${args.slice(0, 2).join(" ")} failed: ${complaint}`);
    this.command = args.join(" ");
  }
}
