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

/**
 * Files that begin first. A long one that began last would keep one worker busy and the others idle. Those that share a
 * platform with a trainer come one after the other, so that few workers start one.
 */
const longest = ["notebooks"];
const besideTrainer = [
  "tour",
  "retrain",
  "api-pages",
  "trainer-page",
  "first-page",
  "platform-client",
  "platformctl",
  "deploy",
];
const first = [...longest, ...besideTrainer].map((name) => `/${name}.test.ts`);

class FirstOnes extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = first.findIndex((end) => moduleId.endsWith(end));
      return index < 0 ? first.length : index;
    };
    // A stable sort: the others stay as they were.
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: FirstOnes },
    // Node runs the sources as they are. The files of one worker share their modules: loading them again costs more than most tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    slowTestThreshold: 10_000,
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
