import type { ReactNode } from "react";
import { ScrollBox } from "./scroll-box.tsx";

/** What heads a column. */
interface Column {
  /** Where two columns may have the same name. Default: the name. */
  id?: string;
  name: string;
  /** Whether screen readers alone get the name. */
  isHidden?: boolean;
  isRight?: boolean;
}

interface TableProps {
  /** Its name for screen readers. */
  caption: string;
  columns: readonly (string | Column)[];
  /** Its rows, `tr`. */
  children: ReactNode;
}

/** A table; one that is wider than its place scrolls there. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <ScrollBox className="table-scroll" role="group" aria-label={caption}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => {
              const { name, id = name, isHidden, isRight } = typeof column === "string" ? { name: column } : column;
              return (
                <th key={id} scope="col" className={isRight ? "right" : undefined}>
                  {isHidden ? <span className="visually-hidden">{name}</span> : name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  );
}
