// Asks the registry whether a locked package has a published vulnerability. Exit code 1: it has; 2: the registry cannot be asked.
import { capture, npmCommand, runMain, StepError } from "./install.mjs";

interface Advisory {
  readonly title: string;
  readonly url: string;
}

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly range: string;
  /** Its own advisories, and the names of packages that it needs and that have one. */
  readonly via: readonly (Advisory | string)[];
}

interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
}

/** `npm audit` mixes notices with its report, which is the one JSON object of what it prints. */
function reportOf(output: string): AuditReport {
  const start = output.indexOf("{");
  const end = output.lastIndexOf("}");
  if (start < 0 || end < start) throw new StepError(`npm audit printed no report:\n${output.trim().slice(0, 1000)}`);
  return JSON.parse(output.slice(start, end + 1));
}

const linesOf = ({ name, severity, range, via }: Vulnerability) =>
  via.flatMap((each) =>
    typeof each === "string" ? [] : [`${severity}: ${name} ${range}: ${each.title} (${each.url})`],
  );

runMain(async () => {
  const { output } = await capture(npmCommand("audit", "--package-lock-only", "--json"));
  const { vulnerabilities, message } = reportOf(output);
  if (!vulnerabilities) {
    process.stdout.write(`the registry does not answer questions about advisories: ${message ?? "no reason given"}\n`);
    process.exitCode = 2;
    return;
  }
  const found = Object.values(vulnerabilities).flatMap(linesOf);
  const summary = found.length > 0 ? `advisories: ${found.length}; update these packages` : "no advisory";
  process.stdout.write([...found, summary, ""].join("\n"));
  process.exitCode = found.length > 0 ? 1 : 0;
});
