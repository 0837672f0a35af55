import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '#web/lib/query-keys.ts';
import { listProjects } from './api/list-projects.ts';

/** The seller's projects, the one that was used last first. */
export function useProjects() {
  return useQuery({
    queryKey: queryKeys.projects,
    queryFn: async ({ signal }) => (await listProjects(signal)).projects,
  });
}
