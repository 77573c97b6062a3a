import type { ReactNode } from "react";
import type { List } from "../api/use-list.ts";
import { ListFilter, type ListFilterProps } from "./list-filter.tsx";
import { ListPanel } from "./list-panel.tsx";
import { Empty } from "./panel.tsx";

interface FilteredListProps<T> extends Omit<ListFilterProps, "label"> {
  /** What an item is called, such as `dataset`. */
  one: string;
  /** What many of them are called, such as `datasets`. */
  many: string;
  list: List<T>;
  /** What stands there when there is nothing, and no filter that hides it. */
  empty: ReactNode;
  children: (items: readonly T[]) => ReactNode;
}

/** A list below its filter. When the filter finds nothing, it says so. */
export function FilteredList<T>({ one, many, list, empty, children, ...filter }: FilteredListProps<T>) {
  const noneFits = (
    <Empty title={`No ${one} fits the filter`}>
      <p>Change or clear the filter above.</p>
    </Empty>
  );
  return (
    <>
      <ListFilter label={`Filter of ${many}`} {...filter} />
      <ListPanel label={`List of ${many}`} list={list} empty={filter.search.filter === undefined ? empty : noneFits}>
        {children}
      </ListPanel>
    </>
  );
}
