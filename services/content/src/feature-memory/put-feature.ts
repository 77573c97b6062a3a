import type { Caller } from "@aiplatform/caller-identity";
import { assertNone } from "@aiplatform/service-host";
import { assertMatch } from "@aiplatform/service-kit/entity-tag";
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
  /** Tags, one of which the feature must have: `"0"` is that of one which is not there. Empty: whatever it has. */
  ifMatch: string;
}

/**
 * Makes a feature, or a new version of it; what is so already is no new version.
 * @throws InvalidFieldsError when it is to replace itself, MemberNotFoundError when its owner is not a member of the
 * organisation, EntityTagMismatchError, FeatureNotFoundError when its replacement is none, FeatureLimitError
 */
export async function putFeature(
  dependencies: Dependencies,
  caller: Pick<Caller, "signedContext">,
  wanted: WantedFeature,
): Promise<Feature> {
  const { features, members, outbox, transaction, clock, newId } = dependencies;
  const { organisationId, key, ifMatch, ...text } = wanted;
  assertReplacement(wanted);
  await members.assertKnown(caller, text.ownerMemberId);
  return await transaction(async (session) => {
    const [known] = await features.claim(organisationId, [key], session);
    // Before the condition: a repeat whose first answer was lost finds its own change.
    if (known && isSameText(known, text)) return known;
    assertMatch(ifMatch, known?.version ?? 0, "feature");
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
    const feature: Feature = { id: newId(), organisationId, key, ...text, status: "active", version, ...times };
    await features.insert(organisationId, feature, session);
    await outbox.stage(session, featurePut(feature, time));
    return feature;
  });
}

function assertReplacement({ key, replacementKey }: Pick<WantedFeature, "key" | "replacementKey">): void {
  const description = "Value error, a feature cannot replace itself";
  assertNone(replacementKey === key ? [{ field: "replacement_key", reason: "REPLACES_ITSELF", description }] : []);
}
