import type { Job } from "@dialplane/sdk";
import { queryOptions } from "@tanstack/react-query";
import { withSession } from "../session/session.ts";
import type { OpenPlace } from "../shell/use-place.ts";

const WATCHING_MS = 1_000;
/** Number of newest jobs that are searched for a number's job. */
const LOOKED_AT = 200;

export const hasEnded = (job: Job): boolean => job.finished_at !== null;

/** Polled until the job has finished. */
export const jobQuery = ({ organisation, environment, client }: OpenPlace, id: string) =>
  queryOptions({
    queryKey: [organisation, environment, "job", id],
    queryFn: ({ signal }) => withSession(() => client.jobs.get(id, { signal })),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : WATCHING_MS),
  });

/** The newest job of a number. Any user finds it, even after a reload. */
export const jobOfNumberQuery = ({ organisation, environment, client }: OpenPlace, numberId: string) =>
  queryOptions({
    queryKey: [organisation, environment, "number", numberId, "job"],
    queryFn: async ({ signal }) => {
      const { data } = await withSession(() => client.jobs.list({ limit: LOOKED_AT }, { signal }));
      return data.find(({ subject }) => subject.number_id === numberId) ?? null;
    },
  });
