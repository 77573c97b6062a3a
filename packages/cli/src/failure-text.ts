import { PlatformError, PlatformUnreachableError } from "@aiplatform/client";
import { isTimeout } from "./exit-codes.ts";
import { optionOf } from "./operation-request.ts";

/** What helps, by status. */
const remedies: Readonly<Record<number, string>> = {
  401: "platformctl login keeps another credential",
  403: "platformctl whoami says what the credential may do",
  404: "it may also belong to another organisation: platformctl whoami says which one yours is",
  429: "slow down, and try again in a moment",
  502: "try again in a moment",
  503: "try again in a moment",
};

/** A failure as lines for people: what is wrong, where, and what helps. */
export function failureText(error: unknown): string {
  if (error instanceof PlatformError) return platformFailure(error);
  if (error instanceof PlatformUnreachableError)
    return `${error.message}\n  remedy: --url, PLATFORM_URL or a context says where the gateway is\n`;
  if (isTimeout(error)) return "it took longer than --timeout allows; what was begun goes on\n";
  return `${error instanceof Error ? error.message : error}\n`;
}

function platformFailure({ status, code, message, problems, requestId }: PlatformError): string {
  const which = [`${status}`, code, requestId && `request ${requestId}`].filter(Boolean).join(", ");
  if (problems.length === 0) {
    const remedy = remedies[status];
    return `${message} (${which})\n${remedy ? `  remedy: ${remedy}\n` : ""}`;
  }
  const rows = problems.map(({ loc, type, msg }) => [fieldOf(loc), type, msg]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    ([field = "", rule = "", remedy = ""]) =>
      `  ${field.padEnd(widths[0] ?? 0)}  ${rule.padEnd(widths[1] ?? 0)}  ${remedy}\n`,
  );
  const count = `${problems.length} ${problems.length === 1 ? "field breaks its rule" : "fields break their rules"}`;
  return `${count} (${which}): field, rule, remedy\n${lines.join("")}`;
}

/** Where, as the command line spells it: an option, and the place inside of its value. */
function fieldOf([place, name, ...inside]: readonly (string | number)[]): string {
  if (typeof name !== "string") return [place, name, ...inside].filter((part) => part !== undefined).join(".");
  const field = place === "path" ? `<${name}>` : optionOf(name);
  return [field, ...inside].join(".");
}
