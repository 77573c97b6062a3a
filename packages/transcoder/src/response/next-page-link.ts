import querystring from "node:querystring";
import { cursorParameter } from "../routes/operation.ts";

/**
 * Value of a `Link` header that leads to the next page: the request's own path and query with another cursor. Without scheme
 * and host, which the client knows and a proxy may have changed.
 */
export function nextPageLink(url: string, cursor: string): string {
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  const others =
    end < 0
      ? []
      : url
          .slice(end + 1)
          .split("&")
          .filter(isOther);
  const query = [...others, `${cursorParameter}=${encodeURIComponent(cursor)}`].join("&");
  return `<${escaped(`${path}?${query}`)}>; rel="next"`;
}

function isOther(pair: string): boolean {
  const [name = ""] = pair.split("=", 1);
  return pair !== "" && querystring.unescape(name) !== cursorParameter;
}

/** A request line may hold what would end the target of a link, and bytes that no header may hold. */
function escaped(target: string): string {
  return target.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/g, (character) => {
    const code = character.charCodeAt(0);
    return `%${code.toString(16).toUpperCase().padStart(2, "0")}`;
  });
}
