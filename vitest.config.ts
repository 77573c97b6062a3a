import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defaultExclude, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

interface Suite {
  readonly include: string[];
  readonly exclude?: string[];
  /** Whether its files use the mongod and nats-server of the run. Default true. */
  readonly infra?: boolean;
  /** Default: one more than there are cores, from 3 to 5. */
  readonly maxWorkers?: number;
  /** Of a test and of a hook. Default 60,000. */
  readonly timeoutMs?: number;
}

const sharesPlatform = /^ *sharedPlatform\(/m;
const sharesTrainer = /^ *sharedPlatform\([\s\S]*trainer: true/m;
const textOf = (path: string) => readFileSync(path, "utf8");

/** The files with this ending that start what they need, and those that share one platform. */
function suitesOf(ending: "test" | "slow"): { own: Suite; shared: Suite } {
  const onPlatform = globSync(`tests/**/*.${ending}.ts`, { cwd: import.meta.dirname }).filter((path) =>
    sharesPlatform.test(textOf(`${import.meta.dirname}/${path}`)),
  );
  return {
    own: {
      include: [`{packages,services,examples}/*/tests/**/*.${ending}.ts`, `tests/**/*.${ending}.ts`],
      exclude: onPlatform,
    },
    /** One worker, so that its files share one platform. */
    shared: { include: onPlatform, maxWorkers: 1, infra: false },
  };
}

const fast = suitesOf("test");
const slow = suitesOf("slow");

/** Every suite of the repository: the files it runs, and what differs from the others. `npm run test:<name>` runs one. */
const suites: Readonly<Record<string, Suite>> = {
  /** Pure modules: no process, no database. */
  unit: { include: ["{apps,packages,services,examples}/*/src/**/*.test.ts"], infra: false },
  integration: fast.own,
  platform: fast.shared,
  slow: slow.own,
  "slow-platform": slow.shared,
  long: { include: ["**/{src,tests}/**/*.long.ts"], maxWorkers: 1, timeoutMs: 900_000 },
  browser: { include: ["**/tests/browser/*.browser.ts"] },
  backup: { include: ["**/tests/**/*.backup.ts"] },
  images: { include: ["**/tests/images/*.images.ts"], maxWorkers: 1 },
  cluster: { include: ["**/tests/**/*.cluster.ts"], maxWorkers: 1, timeoutMs: 120_000 },
  pods: { include: ["**/tests/**/*.pods.ts"], maxWorkers: 1, timeoutMs: 180_000 },
  conformance: { include: ["**/tests/**/*.conformance.ts"] },
  oracle: { include: ["**/tests/**/*.oracle.ts"] },
  frameworks: { include: ["**/tests/**/*.frameworks.ts"], maxWorkers: 1, infra: false, timeoutMs: 3_600_000 },
  fuzz: { include: ["**/tests/**/*.fuzz.ts"] },
  alerts: { include: ["**/tests/**/*.alerts.ts"] },
};

/** One that needs a fresh platform comes first, then those with a trainer, then one that takes the trainer's run over, at last those that need separate services. */
class TrainersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(textOf(moduleId))]));
    const rank = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? 0;
    // A stable sort: the others stay as they were.
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

function rankOf(text: string): number {
  // It mostly waits: alone at the end, it would leave the processors idle.
  if (text.includes("runPytest(")) return -1;
  if (text.includes("separate: true")) return 4;
  if (!sharesTrainer.test(text)) return 3;
  if (text.includes("takesTrainer: true")) return 2;
  return text.includes("fresh: true") ? 0 : 1;
}

/** One more than there are cores: tests wait as often as they compute. With two more, a run took as long, and bounds in time failed. */
const defaultWorkers = Math.min(Math.max(availableParallelism(), 2), 4) + 1;

export default defineConfig({
  test: {
    sequence: { sequencer: TrainersFirst },
    // Node runs the sources as they are. The files of one worker share their modules: loading them again costs more than most tests.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    slowTestThreshold: 10_000,
    // A message shows the values that differ, not how many there are.
    chaiConfig: { truncateThreshold: 2_000 },
    // A worker stops the platform that its files shared.
    teardownTimeout: 60_000,
    pool: "forks",
    isolate: false,
    projects: Object.entries(suites).map(([name, suite], index) => ({
      extends: true,
      test: {
        name,
        include: suite.include,
        exclude: [...defaultExclude, ...(suite.exclude ?? [])],
        maxWorkers: suite.maxWorkers ?? defaultWorkers,
        // Suites with as many workers may run side by side; the others come after.
        sequence: { groupOrder: suite.maxWorkers === undefined ? 0 : index + 1 },
        testTimeout: suite.timeoutMs ?? 60_000,
        hookTimeout: suite.timeoutMs ?? 60_000,
        environment: "./tests/infra/worker-environment.ts",
        setupFiles: ["./tests/infra/costs.ts", "./tests/infra/leaves-nothing.ts"],
        globalSetup: suite.infra === false ? [] : ["tests/infra/global-setup.ts"],
      },
    })),
  },
});
