import { Metadata } from "@grpc/grpc-js";
import { isReserved } from "../call-headers.ts";

/** Metadata for the wire; binary values (`-bin`) travel as base64 inside headers. */
export function metadataFrom(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of headers) {
    if (isReserved(name)) continue;
    if (!name.endsWith("-bin")) metadata.set(name, value);
    // Headers join repeated values with a comma, which base64 does not contain.
    else for (const item of value.split(",")) metadata.add(name, Buffer.from(item.trim(), "base64"));
  }
  return metadata;
}

/** The reverse of `metadataFrom`; adds to `headers` when given. */
export function headersFrom(metadata: Metadata, headers = new Headers()): Headers {
  for (const [name, values] of Object.entries(metadata.toHttp2Headers())) {
    if (values === undefined || typeof values === "number") continue;
    for (const value of typeof values === "string" ? [values] : values) headers.append(name, value);
  }
  return headers;
}
