import type { Check } from "../check.ts";
import type { Finding } from "../finding.ts";

/** Settings that every process which has them must have alike, and which are no secrets. `check`: the name of the check. */
export function sharedSettings(check: string, settings: Readonly<Record<string, string | undefined>>): Check[] {
  const findings = Object.entries(settings).map(([name, value]): Finding => {
    const says = value === undefined ? `${name} is not set` : `${name} is ${value}`;
    return { state: "ok", says, shared: { name, value: value ?? "not set" } };
  });
  return [{ name: check, remedy: `${Object.keys(settings).join(" or ")} is wrong`, run: async () => findings }];
}
