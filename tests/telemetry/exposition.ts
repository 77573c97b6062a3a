/** A metric as a process shows it. */
export interface Family {
  type: string;
  samples: { name: string; labels: Readonly<Record<string, string>>; value: number }[];
}

/** Reads Prometheus' text format: name → metric. */
export function readExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current: Family | undefined;
  for (const line of text.split("\n")) {
    const declared = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (declared) {
      const [, name = "", type = ""] = declared;
      current = { type, samples: [] };
      families.set(name, current);
    }
    const sample = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)/i.exec(line);
    if (sample && current)
      current.samples.push({ name: sample[1] ?? "", labels: labelsOf(sample[2]), value: Number(sample[3]) });
  }
  return families;
}

function labelsOf(text = ""): Record<string, string> {
  const pairs = text.matchAll(/([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"/gi);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, JSON.parse(`"${value}"`)]));
}
