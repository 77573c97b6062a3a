import type { EventCause } from "@aiplatform/document-store";
import { isDuplicateKey } from "@aiplatform/document-store";
import type { StepServices } from "../automation-steps/step-handler.ts";
import { patchDataDictionary } from "../data-dictionaries/patch-data-dictionary.ts";
import type { WriteDependencies } from "../data-dictionaries/write-changes.ts";
import { type CreateDatasetDependencies, createDataset } from "../datasets/create-dataset.ts";
import { assertTemplates } from "../email-drafts/assert-templates.ts";
import { type CreateEmailDraftDependencies, createEmailDraft } from "../email-drafts/create-email-draft.ts";
import type { TemplateTasks } from "../email-drafts/render-templates.ts";
import type { OperationContext } from "../operation-context.ts";

export interface OwnServicesDependencies
  extends WriteDependencies,
    CreateDatasetDependencies,
    CreateEmailDraftDependencies {
  tasks: TemplateTasks;
}

/** What steps write in this service. Their events name the step's cause: no call is being served that would say who it is. */
export function ownServices(
  dependencies: OwnServicesDependencies,
): Pick<StepServices, "patchDictionary" | "createDataset" | "createEmailDraft"> {
  return {
    patchDictionary: (patch, cause) =>
      patchDataDictionary({ ...dependencies, outbox: outboxOf(dependencies, cause) }, patch),
    createDataset: datasetOnce(dependencies),
    createEmailDraft: async (draft, { id, cause }) => {
      await assertTemplates(dependencies, draft.organisationId, draft, { isBackground: true });
      const origin = { ...dependencies, outbox: outboxOf(dependencies, cause), newId: () => id };
      await once(() => dependencies.transaction((session) => createEmailDraft(origin, draft, session)));
    },
  };
}

/** Creates a dataset under a given id, once. It is looked up first: it may itself be the last that there is room for. */
export function datasetOnce(
  dependencies: CreateDatasetDependencies & Pick<OperationContext, "transaction">,
): StepServices["createDataset"] {
  const { datasets, transaction } = dependencies;
  return (dataset, { id, cause }) =>
    once(() =>
      transaction(async (session) => {
        if (await datasets.find(dataset.organisationId, id, session)) return;
        const origin = { ...dependencies, outbox: outboxOf(dependencies, cause), newId: () => id };
        await createDataset(origin, dataset, session);
      }),
    );
}

/** The step may have created it before, and the process ended before that was kept. */
async function once(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

function outboxOf({ outbox }: Pick<OperationContext, "outbox">, cause: EventCause): OperationContext["outbox"] {
  return {
    stage: (session, ...records) => outbox.stage(session, ...records.map((record) => ({ ...record, cause }))),
  };
}
