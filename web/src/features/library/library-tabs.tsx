import { useQuery } from '@tanstack/react-query';
import { Images, Trash2 } from 'lucide-react';
import { NavLink } from 'react-router-dom';
import { pages, trashPage } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { listTrash } from './trash-api.ts';

/** The two pages of the library: what there is, and what was deleted. */
export function LibraryTabs() {
  const { data } = useQuery({
    queryKey: queryKeys.trashCount,
    queryFn: async ({ signal }) => (await listTrash(null, signal, 1)).count,
  });
  const tabs = [
    { to: pages.library, name: 'Images', Icon: Images, count: 0 },
    { to: trashPage, name: 'Trash', Icon: Trash2, count: data ?? 0 },
  ];
  return (
    <nav aria-label="Library" className="mb-5 border-b border-line">
      <ul className="flex gap-1">
        {tabs.map(({ to, name, Icon, count }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              className="-mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent forced-colors:border-[color:Canvas] px-3 text-[0.9375rem] font-semibold text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              <Icon aria-hidden className="size-4.5" />
              {name}
              {count > 0 && <span className="font-normal">{count.toLocaleString('en')}</span>}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
