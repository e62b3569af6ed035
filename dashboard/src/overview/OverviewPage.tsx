import { useQuery } from "@tanstack/react-query";
import { AsCode } from "../as-code/AsCode.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { Freshness } from "../components/Freshness.tsx";
import { PageBar } from "../components/PageBar.tsx";
import { RowSkeletons } from "../numbers/RowSkeletons.tsx";
import { useOpenPlace } from "../shell/use-place.ts";
import { useTitle } from "../shell/use-title.ts";
import { CallsToday } from "./CallsToday.tsx";
import { Fleet } from "./Fleet.tsx";
import { overviewQuery } from "./overview-query.ts";
import { overviewText } from "./overview-text.ts";
import { Problems } from "./Problems.tsx";
import { RecentChanges } from "./RecentChanges.tsx";
import { Verdict } from "./Verdict.tsx";

/** Home of an organisation: whether all numbers go where they should, and what is wrong. */
export function OverviewPage() {
  useTitle(overviewText.title);
  const place = useOpenPlace();
  const overview = useQuery(overviewQuery(place));
  const { data } = overview;
  const seesChanges = place.role === "owner" || place.role === "admin";
  return (
    <>
      <PageBar title={overviewText.title} isHeading={false} freshness={<Freshness query={overview} />}>
        <AsCode call={() => ({ operation: "getOverview" })} />
      </PageBar>
      <div className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto grid max-w-280 grid-cols-1 gap-8 px-4 py-6 md:px-8">
          {overview.error && !data && <FailureNotice error={overview.error} />}
          {overview.isPending && <RowSkeletons count={6} />}
          {data && (
            <>
              <Verdict overview={data} />
              <Problems place={place} problems={data.problems} />
              <div className={`grid grid-cols-1 gap-8 ${seesChanges ? "lg:grid-cols-2" : ""}`}>
                <CallsToday calls={data.calls} />
                {seesChanges && <RecentChanges place={place} />}
              </div>
              <Fleet place={place} switches={data.switches} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
