// Bundles the doctor into packages/doctor/dist: doctor.js, and beside it what it imports only when it is needed.
import { join } from "node:path";
import { bundleDoctor } from "./bundle.mjs";
import { root } from "./install.mjs";

await bundleDoctor(join(root, "packages", "doctor", "dist"));
process.stdout.write("@aiplatform/doctor: dist/doctor.js\n");
