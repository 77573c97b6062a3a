import type { Artifacts } from "../artifacts/artifacts.ts";
import type { NamedArtifact } from "./read-artifact.ts";

/** The store has no addresses that clients reach. */
export class SignedUrlsUnavailableError extends Error {
  override name = "SignedUrlsUnavailableError";
  constructor() {
    super("This installation gives out no addresses of its artifact store: download through the gateway");
  }
}

/** A URL that needs no credential, for as long as it holds. */
export interface DownloadUrl {
  url: string;
  expiresAt: Date;
}

/** A URL of the store's own for an artifact. @throws SignedUrlsUnavailableError */
export async function downloadUrl(
  { signedUrl, clock }: Pick<Artifacts, "signedUrl"> & { clock: () => Date },
  { organisationId, sha256 }: NamedArtifact,
  seconds: number,
): Promise<DownloadUrl> {
  // Before the URL is signed: it holds no shorter than is said.
  const expiresAt = new Date(clock().getTime() + seconds * 1_000);
  const url = await signedUrl(organisationId, sha256, seconds);
  if (url === undefined) throw new SignedUrlsUnavailableError();
  return { url, expiresAt };
}
