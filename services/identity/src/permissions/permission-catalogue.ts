import { permissionCatalogue } from "@aiplatform/caller-identity";
import { ApiKeyService } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { MemberService } from "@aiplatform/contract/aiplatform/identity/v1/members";
import { OrganisationService } from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { ControlCommandService } from "@aiplatform/contract/aiplatform/training/v1/control_commands";
import { RunMetricsService } from "@aiplatform/contract/aiplatform/training/v1/run_metrics";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { SupervisionLeaseService } from "@aiplatform/contract/aiplatform/training/v1/supervision_leases";
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import type { DescService } from "@bufbuild/protobuf";

/** What this process serves. */
export const identityServices: DescService[] = [
  OrganisationService,
  MemberService,
  RoleService,
  ApiKeyService,
  CredentialService,
];

/** Every service of the contract, whoever serves it: a test compares the list with what was generated. */
export const contractServices: DescService[] = [
  ...identityServices,
  ControlCommandService,
  RunMetricsService,
  RunService,
  SupervisionLeaseService,
  TrainerService,
];

/** Every permission that the contract names; nothing else can be granted. */
export function platformPermissions(): ReadonlySet<string> {
  return new Set(permissionCatalogue(contractServices));
}
