import { answerOf } from "@aiplatform/client";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { pageOf } from "../../api/page.ts";
import { type DictionaryChange, type DictionaryEntry, platform } from "../../api/platform.ts";
import { readPages } from "../../api/read-pages.ts";
import { listQuery, useList } from "../../api/use-list.ts";

const lookMs = 5_000;
const historyPageSize = 50;

/** Changes that are looked through for the authors of texts. Who wrote an older text is in the history of its entry. */
const authorPages = { size: 1_000, max: 5 };

/** A dictionary, and its entity tag. */
export interface Dictionary {
  entries: DictionaryEntry[];
  etag: string;
}

/** The dictionary of a dataset. */
export function useDictionary(dataset_id: string) {
  return useQuery({
    queryKey: ["dictionary", dataset_id],
    refetchInterval: lookMs,
    queryFn: async ({ signal }): Promise<Dictionary> => {
      const params = { path: { dataset_id } };
      return dictionaryOf(await platform.GET("/platform/data-dictionary/{dataset_id}", { params, signal }));
    },
  });
}

function dictionaryOf(answer: { data?: DictionaryEntry[]; error?: unknown; response: Response }): Dictionary {
  return { entries: answerOf(answer), etag: answer.response.headers.get("etag") ?? "" };
}

/** The history follows the dictionary by an event: so often it is asked again, and so long it may take. */
const catchUp = { pauseMs: 1_000, maxLooks: 10 };

/** The newest change of each entry, by its name: who wrote the text that is there, and when. */
export function useLatestChanges(dataset_id: string, dictionary: Dictionary) {
  return useQuery<ReadonlyMap<string, DictionaryChange>>({
    queryKey: ["dictionary-authors", dataset_id, dictionary.etag],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data && !hasCaughtUp(data, dictionary) && dataUpdateCount < catchUp.maxLooks ? catchUp.pauseMs : false,
    queryFn: async ({ signal }) => {
      const latest = new Map<string, DictionaryChange>();
      await readPages({
        maxPages: authorPages.max,
        isEnough: () => dictionary.entries.every(({ name }) => latest.has(name)),
        read: async (cursor) => {
          const params = { path: { dataset_id }, query: listQuery(authorPages.size, cursor) };
          const answer = pageOf(
            await platform.GET("/platform/data-dictionary/{dataset_id}/history", { params, signal }),
          );
          for (const change of answer.items) if (!latest.has(change.name)) latest.set(change.name, change);
          return answer;
        },
      });
      return latest;
    },
  });
}

/** Whether a history has the change that made the dictionary what it is: its entity tag is the version in quotes. */
function hasCaughtUp(latest: ReadonlyMap<string, DictionaryChange>, { etag }: Dictionary): boolean {
  return [...latest.values()].some(({ version }) => etag === `"${version}"`);
}

/** The changes of a dictionary or of one of its entries, the newest first. */
export function useDictionaryHistory(dataset_id: string, name: string | undefined) {
  return useList<DictionaryChange>({
    key: ["dictionary-history", dataset_id, name],
    lookMs,
    read: async (cursor, signal) => {
      const query = { ...listQuery(historyPageSize, cursor), ...(name !== undefined && { name }) };
      const params = { path: { dataset_id }, query };
      return pageOf(await platform.GET("/platform/data-dictionary/{dataset_id}/history", { params, signal }));
    },
  });
}

/** A write of entries, or with `dry_run` only the answer to it. */
export interface DictionaryWrite {
  entries: DictionaryEntry[];
  /** Of the dictionary that the edits were made from. */
  etag: string;
  /** Whether a program replaces texts that people wrote. */
  override: boolean;
  dry_run: boolean;
}

/** Writes entries, if the dictionary is still as it was read. */
export function useWriteDictionary(dataset_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ entries, etag, override, dry_run }: DictionaryWrite) => {
      const params = { path: { dataset_id }, query: { override, dry_run }, header: { "If-Match": etag } };
      return dictionaryOf(await platform.PATCH("/data-dictionary/{dataset_id}/", { params, body: entries }));
    },
    onSuccess: (dictionary, { dry_run }) => {
      if (dry_run) return;
      queryClient.setQueryData(["dictionary", dataset_id], dictionary);
      void queryClient.invalidateQueries({ queryKey: ["dictionary-history", dataset_id] });
    },
  });
}

/** Removes an entry, if the dictionary is still as it was read. */
export function useRemoveEntry(dataset_id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, etag, override }: { name: string; etag: string; override: boolean }) => {
      const params = { path: { dataset_id, name }, query: { override }, header: { "If-Match": etag } };
      return dictionaryOf(await platform.DELETE("/platform/data-dictionary/{dataset_id}/entries/{name}", { params }));
    },
    onSuccess: (dictionary) => {
      queryClient.setQueryData(["dictionary", dataset_id], dictionary);
      void queryClient.invalidateQueries({ queryKey: ["dictionary-history", dataset_id] });
    },
  });
}
