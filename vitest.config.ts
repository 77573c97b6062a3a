import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

interface Suite {
  readonly include: string[];
  /** Whether its files use mongod, nats-server and platforms. Default true. */
  readonly infra?: boolean;
  /** Default 3. */
  readonly maxWorkers?: number;
  /** Of a test and of a hook. Default 60,000. */
  readonly timeoutMs?: number;
}

/** Every suite of the repository: the files it runs, and what differs from the others. `npm run test:<name>` runs one. */
const suites: Readonly<Record<string, Suite>> = {
  /** Pure modules: no process, no database. */
  unit: { include: ["{packages,services,examples}/*/src/**/*.test.ts"], infra: false },
  integration: { include: ["{packages,services,examples}/*/tests/**/*.test.ts", "tests/**/*.test.ts"] },
  long: { include: ["**/{src,tests}/**/*.long.ts"], maxWorkers: 1, timeoutMs: 900_000 },
  browser: { include: ["**/tests/browser/*.browser.ts"] },
  backup: { include: ["**/tests/**/*.backup.ts"] },
  images: { include: ["**/tests/images/*.images.ts"], maxWorkers: 1 },
  cluster: { include: ["**/tests/**/*.cluster.ts"], maxWorkers: 1, timeoutMs: 120_000 },
  pods: { include: ["**/tests/**/*.pods.ts"], maxWorkers: 1, timeoutMs: 180_000 },
  conformance: { include: ["**/tests/**/*.conformance.ts"] },
  oracle: { include: ["**/tests/**/*.oracle.ts"] },
  fuzz: { include: ["**/tests/**/*.fuzz.ts"] },
  alerts: { include: ["**/tests/**/*.alerts.ts"] },
};

/** Which files begin first, by what they contain; the others come last. */
const first: readonly RegExp[] = [
  // Files that share a platform come one after the other, those with a trainer first, so that each worker starts one and soon stops it.
  /sharedPlatform\([\s\S]*trainer: true/,
  /sharedPlatform\(/,
];

class FirstOnes extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]));
    const rank = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? first.length;
    // A stable sort: the others stay as they were.
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

function rankOf(path: string): number {
  const text = readFileSync(path, "utf8");
  const index = first.findIndex((pattern) => pattern.test(text));
  return index < 0 ? first.length : index;
}

export default defineConfig({
  test: {
    sequence: { sequencer: FirstOnes },
    // Node runs the sources as they are. The files of one worker share their modules: loading them again costs more than most tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    slowTestThreshold: 10_000,
    // A message shows the values that differ, not how many there are.
    chaiConfig: { truncateThreshold: 2_000 },
    // A worker stops the platform that its files shared.
    teardownTimeout: 60_000,
    pool: "forks",
    isolate: false,
    projects: Object.entries(suites).map(([name, { include, infra = true, maxWorkers = 3, timeoutMs = 60_000 }]) => ({
      extends: true,
      test: {
        name,
        include,
        maxWorkers,
        testTimeout: timeoutMs,
        hookTimeout: timeoutMs,
        environment: infra ? "./tests/infra/worker-environment.ts" : "node",
        setupFiles: ["./tests/infra/leaves-nothing.ts"],
        globalSetup: infra ? ["tests/infra/global-setup.ts"] : [],
      },
    })),
  },
});
