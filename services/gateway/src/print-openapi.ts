import { openApiDocument } from "./api-description.ts";

process.stdout.write(`${JSON.stringify(openApiDocument(), undefined, 2)}\n`);
