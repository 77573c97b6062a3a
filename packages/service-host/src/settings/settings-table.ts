import type { Settings } from "./read-settings.ts";
import type { Setting } from "./setting.ts";

/** The declaration as a Markdown table, for READMEs and for `--help`. */
export function settingsTable(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const shown = setting.secret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
    return `| ${shown} | ${setting.kind} | ${defaultText(setting)} | ${setting.description.replaceAll("|", "\\|")} |`;
  });
  return ["| setting | kind | default | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function defaultText({ default: value, optional }: Setting<unknown>): string {
  if (value === undefined) return optional ? "unset" : "**required**";
  return value === "" || (Array.isArray(value) && value.length === 0) ? "empty" : `\`${String(value)}\``;
}
