import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

/** The page that has the table of a name. */
const pageOf = { services: "README.md", permissions: join("docs", "api", "permissions.md") };

/** A program that prints, as JSON, the tables that follow from the contract, by the name of their place. */
const program = `
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { getOption, hasOption } from "@bufbuild/protobuf";

const table = (heads, rows) => [heads, heads.map(() => "---"), ...rows].map((row) => "| " + row.join(" | ") + " |").join("\\n");
const ownerOf = ({ typeName }) => typeName.split(".")[1];
const operation = (method) => {
  const { pattern, tag } = hasOption(method, route) ? getOption(method, route) : { pattern: {}, tag: "extension" };
  return tag === "extension" ? [] : ["\`" + pattern.case.toUpperCase() + " " + pattern.value + "\`"];
};
const owners = [...new Set(services.map(ownerOf))].sort();
const serviceRows = owners.map((owner) => {
  const own = services.filter((service) => ownerOf(service) === owner);
  const operations = own.flatMap((service) => service.methods.flatMap(operation));
  return ["[" + owner + "](services/" + owner + ")", operations.join("<br>"), "[" + owner + "](docs/grpc/" + owner + ".md)"];
});
const opened = new Map();
for (const method of services.flatMap((service) => service.methods)) {
  const { rule, conditionalPermissions } = getOption(method, access);
  const needed = rule.case === "permission" ? [[rule.value, method.name]] : [];
  for (const [permission, name] of [...needed, ...conditionalPermissions.map((each) => [each, method.name + " (in part)"])])
    opened.set(permission, [...(opened.get(permission) ?? []), name]);
}
const permissionRows = [...opened].sort(([one], [other]) => (one < other ? -1 : 1));
process.stdout.write(JSON.stringify({
  services: table(["service", "operations", "all its RPCs"], serviceRows),
  permissions: table(["permission", "opens"], permissionRows.map(([permission, names]) => ["\`" + permission + "\`", names.join(", ")])),
}));`;

/** Path → text of each page, with the tables of today's contract. `evaluate` runs a program of ours and answers what it prints. */
export async function pagesWithContractTables(evaluate) {
  const tables = JSON.parse(await evaluate(program));
  return Object.entries(pageOf).map(([name, page]) => {
    const text = readFileSync(join(root, page), "utf8");
    const place = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
    if (!place.test(text)) throw new Error(`${page} has no place for the table of ${name}`);
    return [page, text.replace(place, (_, before, after) => `${before}\n${tables[name]}\n\n${after}`)];
  });
}
