import type { Caller } from "@aiplatform/caller-identity";
import { assertNone } from "@aiplatform/service-host";
import type { KnownMembers } from "../known-members.ts";
import type { OperationContext } from "../operation-context.ts";
import {
  type Feature,
  FeatureLimitError,
  FeatureNotFoundError,
  type FeatureText,
  isSameText,
  maxFeatures,
} from "./feature.ts";
import { featurePut } from "./feature-events.ts";
import type { FeatureStore } from "./feature-store.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock" | "newId"> {
  features: FeatureStore;
  members: Pick<KnownMembers, "assertKnown">;
}

export interface WantedFeature extends FeatureText {
  organisationId: string;
  key: string;
}

/**
 * Makes a feature, or a new version of it; what is so already is no new version.
 * @throws InvalidFieldsError when it is to replace itself, MemberNotFoundError when its owner is not a member of the
 * organisation, FeatureNotFoundError when its replacement is none, FeatureLimitError
 */
export async function putFeature(
  dependencies: Dependencies,
  caller: Pick<Caller, "signedContext">,
  wanted: WantedFeature,
): Promise<Feature> {
  const { features, members, outbox, transaction, clock, newId } = dependencies;
  const { organisationId, key, ...text } = wanted;
  assertReplacement(wanted);
  await members.assertKnown(caller, text.ownerMemberId);
  return await transaction(async (session) => {
    const [known] = await features.claim(organisationId, [key], session);
    if (known && isSameText(known, text)) return known;
    const { replacementKey } = text;
    if (replacementKey !== undefined && !(await features.find(organisationId, replacementKey, session))) {
      throw new FeatureNotFoundError(replacementKey);
    }
    const time = clock();
    if (known) {
      const next = { ...known, ...text, version: known.version + 1, updatedAt: time };
      await features.update(organisationId, next, session);
      await outbox.stage(session, featurePut(next, time));
      return next;
    }
    if ((await features.count(organisationId, session)) >= maxFeatures) throw new FeatureLimitError();
    const version = (await features.lastVersion(organisationId, key, session)) + 1;
    const times = { createdAt: time, updatedAt: time, deprecatedAt: undefined };
    const feature: Feature = { id: newId(), ...wanted, status: "active", version, ...times };
    await features.insert(organisationId, feature, session);
    await outbox.stage(session, featurePut(feature, time));
    return feature;
  });
}

function assertReplacement({ key, replacementKey }: WantedFeature): void {
  const description = "Value error, a feature cannot replace itself";
  assertNone(replacementKey === key ? [{ field: "replacement_key", reason: "REPLACES_ITSELF", description }] : []);
}
