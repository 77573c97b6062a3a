import { createRequire } from "node:module";
import { dirname } from "node:path";
import express, { type RequestHandler, Router } from "express";

/** The interactive reference may load, and reach, what this gateway serves, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>AI platform: REST API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** What the page loads of the package. */
const assets = new Set(["/swagger-ui.css", "/swagger-ui-bundle.js"]);

/** `/docs`: the REST API's interactive reference, whole from this gateway. `otherwise` answers what does not read it. */
export function referencePage(otherwise: RequestHandler): Router {
  const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  const files = express.static(folder, { index: false, maxAge: "1h" });
  const router = Router();
  router.use("/docs", (request, response, next) => {
    response.set({ "content-security-policy": policy, "referrer-policy": "no-referrer" });
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!assets.has(request.path)) next();
    else if (isRead) files(request, response, next);
    else otherwise(request, response, next);
  });
  router.get("/docs", (_request, response) => void response.type("text/html").send(page));
  router.get("/docs/start.js", (_request, response) => void response.type("text/javascript").send(start));
  router.all(["/docs", "/docs/start.js"], otherwise);
  return router;
}
