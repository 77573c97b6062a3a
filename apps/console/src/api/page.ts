import { PlatformError } from "@aiplatform/client";

/** A part of a list, and where the next one begins; undefined at the end. */
export interface Page<T> {
  items: T[];
  next: string | undefined;
}

/** The page that a list answered. @throws PlatformError when it was refused */
export function pageOf<T>({ data, error, response }: { data?: T[]; error?: unknown; response: Response }): Page<T> {
  if (!response.ok || data === undefined) throw new PlatformError(response, error);
  return { items: data, next: nextCursor(response.headers.get("link")) };
}

/** The `cursor` in the URL that a `Link` header names as the next page. */
export function nextCursor(link: string | null): string | undefined {
  const url = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? "")?.[1];
  return url === undefined ? undefined : (new URL(url, "http://localhost").searchParams.get("cursor") ?? undefined);
}
