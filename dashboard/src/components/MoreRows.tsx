import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { Button } from "./Button.tsx";
import { FailureNotice } from "./FailureNotice.tsx";
import { sharedText } from "./shared-text.ts";

interface MoreRowsProps {
  list: {
    isPending: boolean;
    error: unknown;
    data: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage(): unknown;
    refetch(): unknown;
  };
  label?: string;
}

/** End of a paged list: loading, failed, or a button for more. */
export function MoreRows({ list, label = sharedText.showMore }: MoreRowsProps) {
  const { isPending, error, data, hasNextPage, isFetchingNextPage } = list;
  if (isPending) return <RowSkeletons count={4} />;
  if (error)
    return (
      <FailureNotice
        error={error}
        action={
          <Button size="small" onClick={() => void (data ? list.fetchNextPage() : list.refetch())}>
            {sharedText.retry}
          </Button>
        }
      />
    );
  if (!hasNextPage) return null;
  return (
    <div className="justify-self-center">
      <Button size="small" isPending={isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {label}
      </Button>
    </div>
  );
}
