import { callerOf } from "@aiplatform/caller-identity";
import {
  type InspectedOrganisation,
  InspectedOrganisationSchema,
  type Organisation as OrganisationMessage,
  OrganisationSchema,
  OrganisationService,
  OrganisationState as StateMessage,
} from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { limitsFrom, limitsMessage } from "@aiplatform/quotas";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { apiKeyMessage } from "../api-keys/api-key-rpc.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { memberMessage, newMemberFrom } from "../members/member-rpc.ts";
import { createOrganisation } from "./create-organisation.ts";
import { deleteOrganisation } from "./delete-organisation.ts";
import { moveOrganisation } from "./move-organisation.ts";
import type { Organisation } from "./organisation.ts";
import {
  installedServices,
  type OrganisationDeletion,
  type PurgingService,
  purgingServices,
} from "./organisation-deletion.ts";
import type { OrganisationState } from "./organisation-state.ts";
import { setOrganisationQuotas } from "./set-organisation-quotas.ts";

const states: Record<OrganisationState, StateMessage> = {
  active: StateMessage.ACTIVE,
  suspended: StateMessage.SUSPENDED,
  deleting: StateMessage.DELETING,
  deleted: StateMessage.DELETED,
};

export function organisationRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
  const installed = () => installedServices((service) => dependencies.serviceKeys.knows(service));
  router.service(OrganisationService, {
    async createOrganisation({ slug, name, administrator }) {
      const wanted = { slug, name, administrator: newMemberFrom(administrator) };
      const founded = await createOrganisation(dependencies, wanted);
      return {
        organisation: organisationMessage(founded.organisation),
        administrator: memberMessage(founded.administrator),
        apiKey: apiKeyMessage(founded.key.apiKey),
        apiKeySecret: founded.key.secret,
      };
    },
    async suspendOrganisation({ organisationId }) {
      return { organisation: organisationMessage(await moveOrganisation(dependencies, organisationId, "suspend")) };
    },
    async restoreOrganisation({ organisationId }) {
      return { organisation: organisationMessage(await moveOrganisation(dependencies, organisationId, "restore")) };
    },
    async deleteOrganisation({ organisationId, confirmSlug }, context) {
      const wanted = { organisationId, confirmSlug, requestedBy: callerOf(context).credentialId };
      return { organisation: inspectedMessage(await deleteOrganisation(dependencies, wanted), installed()) };
    },
    async inspectOrganisation({ organisationId }) {
      return { organisation: inspectedMessage(await dependencies.organisations.get(organisationId), installed()) };
    },
    async getOrganisation(_, context) {
      const organisation = await dependencies.organisations.get(callerOf(context).organisationId);
      return { organisation: organisationMessage(organisation) };
    },
    async getOrganisationQuotas({ organisationId }) {
      const { id } = await dependencies.organisations.get(organisationId);
      return { limits: limitsMessage((await dependencies.organisationLimits.find(id)).limits) };
    },
    async setOrganisationQuotas({ organisationId, limits }) {
      await setOrganisationQuotas(dependencies, organisationId, limitsFrom(limits));
      return { limits };
    },
  });
}

function organisationMessage({ id, slug, name, createdAt, state }: Organisation): OrganisationMessage {
  const times = { createdAt: timestampFromDate(createdAt) };
  return create(OrganisationSchema, { id, slug, name, ...times, state: states[state] });
}

function inspectedMessage(
  { deletion, ...organisation }: Organisation,
  installed: readonly PurgingService[],
): InspectedOrganisation {
  const { id, slug, name, createdAt, state } = organisationMessage(organisation);
  const seen = { id, slug, name, state, ...(createdAt && { createdAt }) };
  return create(InspectedOrganisationSchema, {
    ...seen,
    ...(deletion && { deletion: deletionOf(deletion, installed) }),
  });
}

/** Also of services that the installation no longer has, which had purged the organisation before. */
function deletionOf({ requestedAt, purgedAt, deletedAt }: OrganisationDeletion, installed: readonly PurgingService[]) {
  const services = purgingServices.flatMap((service) => {
    const time = purgedAt[service];
    if (!time) return installed.includes(service) ? [{ service }] : [];
    return [{ service, purgedAt: timestampFromDate(time) }];
  });
  const ended = deletedAt && { deletedAt: timestampFromDate(deletedAt) };
  return { requestedAt: timestampFromDate(requestedAt), services, ...ended };
}
