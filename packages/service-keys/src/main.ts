import { ServiceKeyError } from "./errors.ts";
import { keepServiceKeys } from "./keep-service-keys.ts";

/** Makes the keys of all services in a directory; those that are there stay. `npm run service-keys -- DIRECTORY` */
const [directory] = process.argv.slice(2);
if (!directory) {
  process.stderr.write("name the directory that the keys are to be in: npm run service-keys -- DIRECTORY\n");
  process.exit(2);
}
try {
  keepServiceKeys(directory);
  process.stdout.write(
    `${directory} has the private key of each service, and service-keys.json with the public ones\n`,
  );
} catch (error) {
  if (!(error instanceof ServiceKeyError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
