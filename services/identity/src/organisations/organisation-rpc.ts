import { callerOf } from "@aiplatform/caller-identity";
import {
  type Organisation as OrganisationMessage,
  OrganisationSchema,
  OrganisationService,
} from "@aiplatform/contract/aiplatform/identity/v1/organisations";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter } from "@connectrpc/connect";
import { apiKeyMessage } from "../api-keys/api-key-rpc.ts";
import type { IdentityDependencies } from "../dependencies.ts";
import { memberMessage, newMemberFrom } from "../members/member-rpc.ts";
import { createOrganisation } from "./create-organisation.ts";
import type { Organisation } from "./organisation.ts";

export function organisationRoutes(router: ConnectRouter, dependencies: IdentityDependencies): void {
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
    async getOrganisation(_, context) {
      const organisation = await dependencies.organisations.get(callerOf(context).organisationId);
      return { organisation: organisationMessage(organisation) };
    },
  });
}

function organisationMessage({ id, slug, name, createdAt }: Organisation): OrganisationMessage {
  return create(OrganisationSchema, { id, slug, name, createdAt: timestampFromDate(createdAt) });
}
