// Node strips the types itself; jest only has to be told that `.ts` is an ES module.
export default {
  testEnvironment: "node",
  transform: {},
  extensionsToTreatAsEsm: [".ts"],
  moduleFileExtensions: ["ts", "js", "mjs", "json", "node"],
  testMatch: ["<rootDir>/{packages,services,examples}/*/{src,tests}/**/*.test.ts", "<rootDir>/tests/**/*.test.ts"],
  globalSetup: "<rootDir>/tests/real-parts/global-setup.ts",
  globalTeardown: "<rootDir>/tests/real-parts/global-teardown.ts",
  testTimeout: 60_000,
  maxWorkers: 2,
  // What a worker has imported it keeps: it begins anew before that is the machine's memory.
  workerIdleMemoryLimit: "1GB",
};
