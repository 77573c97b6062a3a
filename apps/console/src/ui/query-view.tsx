import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { ErrorNotice } from "./error-notice.tsx";
import { LoadingRows } from "./panel.tsx";

interface QueryViewProps<T> {
  query: Pick<UseQueryResult<T>, "error" | "isFetching"> & { data: T | undefined; refetch: () => Promise<unknown> };
  rows?: number;
  children: (data: T) => ReactNode;
}

/** What a query answered; before that placeholders, and a failure with a button that asks again. Old data stays beside a failure. */
export function QueryView<T>({ query, rows, children }: QueryViewProps<T>) {
  const { data, error, refetch, isFetching } = query;
  return (
    <>
      {error && (
        <div className="stack-tight padded">
          <ErrorNotice error={error} />
          <div>
            <Button size="small" isPending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </div>
        </div>
      )}
      {data === undefined ? !error && <LoadingRows {...(rows !== undefined && { rows })} /> : children(data)}
    </>
  );
}
