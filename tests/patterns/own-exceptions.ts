/**
 * Patterns in our sources that may take more than linear time, and why that does no harm. A pattern that meets what callers,
 * trainers, language models or other servers send does not belong here unless its text is bounded by what the reason says.
 */
export const ownExceptions: Readonly<Record<string, string>> = {
  "/-----BEGIN [\\s\\S]*?-----END [^-]+-----/g": "reads the operator's own signing keys, at start",
  "/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g": "reads the operator's own certificate files",
  "/-----BEGIN CERTIFICATE-----[\\s\\S]*?-----END CERTIFICATE-----/g":
    "the doctor reads the operator's own certificate files",
  "/\\/+$/": "takes slashes off URLs of settings",
  "/^(?:.*\\/)?(?<image>aiplatform\\/[a-z-]+)(?:[:@].*)?$/": "the installer reads names of images in our own manifests",
  "/@.*$/": "the installer reads names of images in our own manifests",
  "/^([\\w-]+):\\s*(.*)$/": "the command line reads its own arguments",
  '/<([^>]+)>;\\s*rel="next"/':
    "the command line reads a header of the platform it calls: at most 16 KiB, which take 0.1 s",
  "/\\[(\\w{3})\\] (.*)$/": "reads the last lines of mongod and nats-server on the machine of a developer",
  "/^[a-z][a-z0-9_]*(?<!_total)$/": "reads names of metrics in our own tables",
  '/"(?:[^"\\\\]|\\\\.)*"(\\s*:)?/g':
    "runs on what JSON.parse has accepted: each quote that opens is closed, so that no character is looked at twice",
};

/** Where patterns are made while a service runs, and who writes them. */
export const builtExceptions: Readonly<Record<string, string>> = {
  "packages/serving-runtime/src/linear-patterns.ts": "only asks whether an organisation's pattern is one; RE2 matches",
  "packages/transcoder/src/messages/value-checks.ts":
    "compiles the patterns of the contract, which are judged here as well",
};
