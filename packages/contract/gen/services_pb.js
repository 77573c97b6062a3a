// @generated from the services of proto/aiplatform; never edited.

import { ApiKeyService } from "./aiplatform/identity/v1/api_keys_pb.js";
import { CredentialService } from "./aiplatform/identity/v1/credentials_pb.js";
import { MemberService } from "./aiplatform/identity/v1/members_pb.js";
import { OrganisationService } from "./aiplatform/identity/v1/organisations_pb.js";
import { RoleService } from "./aiplatform/identity/v1/roles_pb.js";
import { ControlCommandService } from "./aiplatform/training/v1/control_commands_pb.js";
import { RunMetricsService } from "./aiplatform/training/v1/run_metrics_pb.js";
import { RunService } from "./aiplatform/training/v1/runs_pb.js";
import { SupervisionLeaseService } from "./aiplatform/training/v1/supervision_leases_pb.js";
import { TrainerService } from "./aiplatform/training/v1/trainers_pb.js";

/** Every service of the contract. */
export const services = [
  ApiKeyService,
  CredentialService,
  MemberService,
  OrganisationService,
  RoleService,
  ControlCommandService,
  RunMetricsService,
  RunService,
  SupervisionLeaseService,
  TrainerService,
];
