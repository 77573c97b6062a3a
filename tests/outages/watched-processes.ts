import { type Observed, observed } from "./outage-table.ts";

/** What the processes say of themselves. */
export interface Surroundings {
  /** Processes that answer that they are not ready; one that does not answer at all is not among them. */
  notReady: Observed[];
  /** Dependencies whose metric `dependency_up` is 0, by process. */
  dependencyDown: Partial<Record<Observed, string[]>>;
}

const answersWithinMs = 5_000;

/** Asks all processes that answer. */
export async function lookAround(adminUrls: Readonly<Record<string, string>>): Promise<Surroundings> {
  const found: Surroundings = { notReady: [], dependencyDown: {} };
  await Promise.all(
    observed.map(async (name) => {
      const signal = AbortSignal.timeout(answersWithinMs);
      const get = (path: string) => fetch(adminUrls[name] + path, { signal });
      const answers = await Promise.all([get("/readyz"), get("/metrics").then((answer) => answer.text())]).catch(
        () => undefined,
      );
      if (!answers) return;
      const [ready, metrics] = answers;
      if (!ready.ok) found.notReady.push(name);
      const down = [...metrics.matchAll(/^dependency_up\{[^}]*dependency="([^"]+)"[^}]*\} 0$/gm)];
      if (down.length > 0) found.dependencyDown[name] = down.map(([, dependency = ""]) => dependency);
    }),
  );
  return found;
}

/** Two surroundings are compared as texts, in one order. */
export const told = ({
  notReady,
  dependencyDown,
}: { [Key in keyof Surroundings]: Readonly<Surroundings[Key]> | object }) =>
  JSON.stringify({
    notReady: [...Object.values(notReady)].sort(),
    dependencyDown: Object.entries(dependencyDown)
      .map(([name, dependencies]) => [name, [...dependencies].sort()])
      .sort(),
  });
