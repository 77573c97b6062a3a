import { PlatformError } from "@aiplatform/client";
import { apiUrl } from "../../api/platform.ts";
import { kindOf, type NewFile } from "./data-file.ts";

/** Uploads a file; what is stored already is not sent again. @throws PlatformError, DOMException when the browser cannot read the file */
export async function uploadFile(file: File): Promise<NewFile> {
  const kind = kindOf(file.name);
  if (!kind) throw new TypeError("The name of the file says no format that can be read.");
  const artifact_sha256 = hex(await crypto.subtle.digest("SHA-256", await file.arrayBuffer()));
  const url = `${apiUrl}/platform/artifacts/${artifact_sha256}`;
  const stored = await fetch(url, { method: "HEAD" });
  if (!stored.ok) {
    const response = await fetch(url, { method: "PUT", body: file });
    if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined));
  }
  return { artifact_sha256, name: file.name, ...kind };
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
