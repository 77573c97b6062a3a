import type { ReactNode } from "react";
import type { List } from "../api/use-list.ts";
import { Button } from "./button.tsx";
import { QueryView } from "./query-view.tsx";

interface ListPanelProps<T> {
  /** Its name for screen readers. */
  label: string;
  list: List<T>;
  /** What stands there when the list has nothing. */
  empty: ReactNode;
  children: (items: readonly T[]) => ReactNode;
}

/** A list in a panel, and a button that reads its next page. */
export function ListPanel<T>({ label, list, empty, children }: ListPanelProps<T>) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  return (
    <>
      <section className="panel" aria-label={label}>
        <QueryView query={list} rows={6}>
          {(items) => (items.length === 0 && !hasNextPage ? empty : children(items))}
        </QueryView>
      </section>
      {hasNextPage && (
        <div>
          <Button isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
