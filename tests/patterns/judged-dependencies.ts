/** How a package is looked at. */
interface Judging {
  /** Narrow down a package that ships itself several times, or of which we load a part. */
  readonly files: readonly string[];
  /** Looked at in the test that takes longer, with what it depends on. */
  readonly isLong?: boolean;
}

/** Packages that read what callers, trainers, handlers or servers outside send; all that they depend on goes with them. */
export const judged: Readonly<Record<string, Judging>> = {
  "@bufbuild/cel": { files: ["dist/esm/**/*.js"], isLong: true },
  "@bufbuild/protobuf": { files: ["dist/esm/**/*.js"] },
  "@bufbuild/protovalidate": { files: ["dist/esm/**/*.js"], isLong: true },
  "@bufbuild/re2": { files: ["dist/esm/**/*.js"], isLong: true },
  "@connectrpc/connect": { files: ["dist/esm/**/*.js"] },
  "@connectrpc/connect-node": { files: ["dist/esm/**/*.js"] },
  "@connectrpc/validate": { files: ["dist/esm/**/*.js"] },
  "@grpc/grpc-js": { files: ["build/src/**/*.js"] },
  "@opentelemetry/core": { files: ["dist/**/*.mjs"] },
  "@uwdata/flechette": { files: ["src/**/*.js"] },
  ajv: { files: ["dist/**/*.js"] },
  cookie: { files: ["dist/index.js"] },
  croner: { files: ["dist/croner.js"] },
  "csv-parse": { files: ["lib/**/*.js"] },
  "escape-html": { files: ["index.js"] },
  express: { files: ["lib/**/*.js"] },
  "http-proxy-middleware": { files: ["dist/**/*.js"] },
  hyparquet: { files: ["src/**/*.js"] },
  "ipaddr.js": { files: ["lib/*.js"] },
  jose: { files: ["dist/webapi/**/*.js"] },
  liquidjs: { files: ["dist/liquid.node.mjs"] },
  nodemailer: { files: ["dist/esm/**/*.js"], isLong: true },
  "openid-client": { files: ["build/**/*.js"], isLong: true },
  pino: { files: ["pino.js", "lib/**/*.js"], isLong: true },
  "proxy-addr": { files: ["index.js"] },
  re2js: { files: ["build/index.esm.js"], isLong: true },
  sirv: { files: ["build.js"] },
  undici: { files: ["lib/**/*.js"], isLong: true },
};

/** Packages that our services load and that read nothing from outside, and why. */
export const unjudged: Readonly<Record<string, string>> = {
  "@aws-sdk/client-s3": "reads answers of the operator's own bucket",
  "@aws-sdk/lib-storage": "reads answers of the operator's own bucket",
  "@aws-sdk/s3-request-presigner": "signs URLs of the operator's own bucket",
  "@kubernetes/client-node": "reads answers of the operator's own cluster",
  "@opentelemetry/api": "declares interfaces",
  "@opentelemetry/context-async-hooks": "keeps contexts, reads no text",
  "@opentelemetry/exporter-prometheus": "writes names of our own metrics",
  "@opentelemetry/exporter-trace-otlp-http": "writes to the operator's own collector",
  "@opentelemetry/resources": "reads the operator's own settings",
  "@opentelemetry/sdk-metrics": "counts, and reads names of our own metrics",
  "@opentelemetry/sdk-trace": "keeps spans, reads no text",
  "@opentelemetry/semantic-conventions": "declares names",
  "@bufbuild/cel-spec": "declares messages and test data",
  "@grpc/proto-loader": "reads .proto files, and we load none",
  "body-parser": "bodies are read by our own code",
  cockatiel: "reads no text",
  "fs-native-extensions": "locks files",
  "lru-cache": "keeps values, reads no text",
  mongodb: "speaks BSON with the operator's own database",
  nats: "speaks with the operator's own event bus",
  "nkeys.js": "reads keys of the operator",
  "@duckdb/node-api": "reads files and SQL in a process that an organisation has for itself, within limits",
  "onnxruntime-node": "reads models in a process that a handler has for itself",
  "rate-limiter-flexible": "counts, reads no text",
  uuid: "makes ids; those of callers are read by our own code",
};

/**
 * Patterns of packages that may take more than linear time, and why that is harmless. What a caller sends must not
 * reach one on the event loop, unless its text is bounded by what the reason says.
 */
export const dependencyExceptions: Readonly<Record<string, string>> = {
  "liquidjs /\\n\\s*[^#\\s]/g": "reads templates, which is done in worker threads that have a limit of time",
  "router /\\/+$/": "reads the paths that our own pages declare",
  "router /\\((?:\\?<(.*?)>)?(?!\\?)/g": "reads the paths that our own pages declare",
  "encodeurl /(?:[^\\x21\\x23-\\x3B\\x3D\\x3F-\\x5F\\x61-\\x7A\\x7C\\x7E]+|%+(?![0-9A-Fa-f]{2})){1,1024}/g":
    "nothing comes after its loop, so that it never goes back; a URL has at most 16 KiB",
  "sirv /[/]([A-Za-z\\s\\d~$._-]+\\.\\w+){1,}$/": "reads paths with the option `single`, which we do not use",
  "cookie-signature /\\=+$/": "reads signatures that it made itself; no page of ours signs cookies",
  "ms /^(-?(?:\\d+)?\\.?\\d+) *(milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w|years?|yrs?|y)?$/i":
    "reads at most 100 characters, of our own code",
  "ipaddr.js /%.+$/": "only goes back at a line end, which no header and no name of a host has",
  "is-extglob /(\\\\).|([@?!+*]\\(.*\\))/g": "reads the path filters that our own proxies declare",
  "picomatch /(?:\\[.*?[^\\\\]\\]|\\\\(?=.))/g": "reads the path filters that our own proxies declare",
  "@bufbuild/cel /^(([\\t\\n\\f\\r ])+)?(\\/\\/([^\\r\\n])*([\\r\\n])+)?(([\\t\\n\\f\\r ])+)?:/g":
    "reads rules of our own contract",
  "@bufbuild/cel /^(,)?(([\\t\\n\\f\\r ])+)?(\\/\\/([^\\r\\n])*([\\r\\n])+)?(([\\t\\n\\f\\r ])+)?\\}/g":
    "reads rules of our own contract",
  "@bufbuild/cel /^(([\\t\\n\\f\\r ])+)?(\\/\\/([^\\r\\n])*([\\r\\n])+)?(([\\t\\n\\f\\r ])+)?&&/g":
    "reads rules of our own contract",
  "@bufbuild/cel /^(([\\t\\n\\f\\r ])+)?(\\/\\/([^\\r\\n])*([\\r\\n])+)?(([\\t\\n\\f\\r ])+)?\\|\\|/g":
    "reads rules of our own contract",
  "nodemailer /(\\s+)[^\\s]*$/": "reads a header line by line, each of at most 76 characters",
  "nodemailer /(<img\\b[^<>]{0,1024} src\\s{0,20}=[\\s\"']{0,20})(data:([^;\"'<>\\s]{1,255});[^\"'>\\s]+)/gi":
    "takes pictures out of messages, which we do not ask for",
  "nodemailer /\\/+$/": "reads the address of a service that shows test mails, which we do not use",
  "nodemailer /^334\\s+(.+)$/": "reads one line that the operator's own mail server answers",
  "oauth4webapi /^\\s+(.*)$/": "only goes back at a line end, which no header has",
  "undici /^[\\t ]+|[\\t ]+$/g": "reads headers for a cache that we do not use",
  "undici /[\\t ]+$/": "reads headers for a cache that we do not use",
  "undici /(\\u0020+)$/u": "reads data: URLs, which are refused before anything is fetched",
};
