import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** Of the development server. What is built names its files relatively: the gateway says where it serves them. */
const developmentPath = "/console/";

/**
 * Writes `x.br` beside each text file, so that the gateway compresses nothing while it answers. Of the files as they were written: other
 * plugins change chunks until then.
 */
function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (!/\.(js|css)$/.test(name)) continue;
        const path = join(dir, name);
        const content = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
      }
    },
  };
}

/** The platform that the development server talks to, as `npm start` prints it. */
const gateway = process.env["GATEWAY"] ?? "http://127.0.0.1:8080";

export default defineConfig(({ command }) => ({
  base: command === "serve" ? developmentPath : "./",
  root: import.meta.dirname,
  plugins: [precompressed()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2024",
    modulePreload: { polyfill: false },
    // A data: URL would need a wider policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog: (level, log, next) => {
        // Libraries mark components for the browser; the mark means nothing in a bundle.
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") next(level, log);
      },
    },
  },
  server: {
    // The gateway takes writes from its own origin only.
    proxy: Object.fromEntries(
      [
        "/platform",
        "/pipelines",
        "/deployments",
        "/automations",
        "/data-dictionary",
        "/email-drafts",
        "/feature-memory",
        "/organisations",
      ].map((path) => [path, { target: gateway, changeOrigin: true, headers: { origin: gateway } }]),
    ),
  },
}));
