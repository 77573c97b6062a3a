import { join } from "node:path";
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { contractEvents } from "./contract-facts.ts";
import { pageWith, table } from "./markdown.ts";

const ownerOf = ({ typeName }: DescService) => typeName.split(".")[1] ?? "";

/** Of a service whose operations are all beyond the specification. */
const beyondSpecification = "only under `/platform/`";

/** An RPC as the specification names it; nothing for those beyond it. */
function operation(method: DescMethod): string[] {
  if (!hasOption(method, route)) return [];
  const { pattern } = getOption(method, route);
  return pattern.value?.startsWith("/platform/") ? [] : [`\`${pattern.case?.toUpperCase()} ${pattern.value}\``];
}

function servicesTable(): string {
  // The gateway's own service has no page of RPCs: it answers over REST alone.
  const owners = [...new Set(services.map(ownerOf))].filter((owner) => owner !== "gateway").sort();
  const rows = owners.map((owner) => {
    const methods = services.filter((service) => ownerOf(service) === owner).flatMap((service) => service.methods);
    return [
      `[${owner}](services/${owner})`,
      methods.flatMap(operation).join("<br>") || beyondSpecification,
      `[${owner}](docs/grpc/${owner}.md)`,
    ];
  });
  return table(["service", "operations", "all its RPCs"], rows);
}

function permissionsTable(): string {
  const opened = services
    .flatMap(({ methods }) => methods)
    .flatMap((method) => {
      const { rule, conditionalPermissions } = getOption(method, access);
      const inPart = conditionalPermissions.map((permission) => ({ permission, opens: `${method.name} (in part)` }));
      return rule.case === "permission" ? [{ permission: rule.value, opens: method.name }, ...inPart] : inPart;
    });
  const byPermission = [...Map.groupBy(opened, ({ permission }) => permission)].sort(([a], [b]) => (a < b ? -1 : 1));
  const events = Map.groupBy(contractEvents(), ({ readPermission }) => readPermission);
  const rows = byPermission.map(([permission, of]) => [
    `\`${permission}\``,
    [...new Set(of.map(({ opens }) => opens))].join(", "),
    (events.get(permission) ?? []).map((each) => `${each.domain}.${each.entity}.${each.happened}`).join(", "),
  ]);
  return table(["permission", "opens", "reads events"], rows);
}

/** Path and text of each page with a table that follows from the contract. */
export function* pagesWithContractTables(): Generator<[path: string, text: string]> {
  const permissions = join("docs", "api", "permissions.md");
  yield ["README.md", pageWith("README.md", "services", servicesTable())];
  yield [permissions, pageWith(permissions, "permissions", permissionsTable())];
}
