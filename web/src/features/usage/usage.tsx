import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Usage } from '#contract';
import { serverNow } from '#web/lib/clock.ts';
import { countText } from '#web/lib/count-text.ts';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { Button } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name, nameOption } from '#web/ui/name.tsx';
import { Section } from '#web/ui/section.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { downloadUsage, fetchUsage } from './api.ts';
import { type Bar, barsOf, daysOf, imagesOf, type Period, periods, sumsBy, topOf } from './usage-sums.ts';

/** What stands for all projects or all keys, and for no key, in a select; no id is like them. */
const all = 'all';
const studio = 'studio';

/** The images that the seller used, by day, project and API key. @param revision of the balance: with another one they are read again */
export function UsedImages({ revision }: { revision: number }) {
  const [period, setPeriod] = useState<Period>('30 days');
  const days = daysOf(period, serverNow());
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.usage(days, revision),
    queryFn: ({ signal }) => fetchUsage(days, signal),
    placeholderData: (before) => before,
  });
  return (
    <Section
      id="used"
      title="Images used"
      lead="By the day on which you asked for them, in UTC."
      trailing={
        <Button variant="secondary" onClick={() => downloadUsage(days)}>
          Download CSV
        </Button>
      }
    >
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data && <Shown usage={data} period={period} onPeriod={setPeriod} />}
    </Section>
  );
}

interface ShownProps {
  usage: Usage;
  period: Period;
  onPeriod: (period: Period) => void;
}

function Shown({ usage, period, onPeriod }: ShownProps) {
  const by = periods[period].bar;
  const [project, setProject] = useState(all);
  const [key, setKey] = useState(all);
  const projectNames = new Map(usage.projects.map(({ id, name }) => [id, name ?? 'Deleted project']));
  const keyNames = new Map(usage.keys.map(({ id, name }) => [id, name]));
  // What was chosen may not be in another period.
  const shownProject = projectNames.has(project) ? project : all;
  const shownKey = keyNames.has(key) || key === studio ? key : all;
  const lines = usage.lines.filter(
    ({ projectId, keyId }) =>
      (shownProject === all || projectId === shownProject) &&
      (shownKey === all || (keyId ?? studio) === shownKey),
  );
  const bars = barsOf({ ...usage, lines }, by);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <LabelledSelect
          label="Period"
          value={period}
          options={(Object.keys(periods) as Period[]).map((value) => ({ value, label: `Last ${value}` }))}
          onChange={onPeriod}
        />
        {usage.projects.length > 1 && (
          <LabelledSelect
            label="Project"
            value={shownProject}
            options={[
              { value: all, label: 'All projects' },
              ...[...projectNames].map(([id, name]) => nameOption(id, name)),
            ]}
            onChange={setProject}
          />
        )}
        {usage.keys.length > 0 && (
          <LabelledSelect
            label="Asked for by"
            value={shownKey}
            options={[
              { value: all, label: 'Studio and all keys' },
              { value: studio, label: 'Studio' },
              ...[...keyNames].map(([id, name]) => nameOption(id, name)),
            ]}
            onChange={setKey}
          />
        )}
      </div>
      <p className="mt-6 text-2xl font-semibold tabular-nums" aria-live="polite">
        {countText(imagesOf(lines), 'image')}
      </p>
      <Chart bars={bars} by={by} />
      <div className="mt-6 grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 md:grid-cols-2">
        <Sums title="By project" sums={sumsBy(lines, ({ projectId }) => projectId)}>
          {(id) => <Name>{projectNames.get(id)}</Name>}
        </Sums>
        <Sums title="By API key" sums={sumsBy(lines, ({ keyId }) => keyId)}>
          {(id) => (id === null ? 'Studio' : <Name>{keyNames.get(id)}</Name>)}
        </Sums>
      </div>
    </>
  );
}

/** Bars over time. Whoever cannot see them has the table below. */
function Chart({ bars, by }: { bars: readonly Bar[]; by: 'day' | 'month' }) {
  const dates = useDates();
  const nameOf = by === 'day' ? dates.utcDay : dates.utcMonth;
  const most = Math.max(...bars.map(({ images }) => images));
  const top = topOf(most);
  const title = `Images by ${by}`;
  return (
    <figure className="mt-3">
      <figcaption className="sr-only">{title}</figcaption>
      <div
        aria-hidden
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-xs text-ink-soft tabular-nums"
      >
        <div className="flex flex-col justify-between text-right leading-none">
          <span>{top.toLocaleString('en')}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${bars.length} ${top}`}
          preserveAspectRatio="none"
          className="h-40 w-full border-y border-line"
        >
          <title>{title}</title>
          {bars.map(({ date, images }, index) => (
            <rect
              key={date}
              x={index + 0.1}
              y={top - images}
              width={0.8}
              height={images}
              className="fill-accent"
            >
              <title>{`${nameOf(date)}: ${countText(images, 'image')}`}</title>
            </rect>
          ))}
        </svg>
        <div className="col-start-2 mt-1.5 flex justify-between">
          <span>{nameOf(bars[0]!.date)}</span>
          <span>{nameOf(bars.at(-1)!.date)}</span>
        </div>
      </div>
      <details className="mt-2">
        <summary className="flex min-h-11 cursor-pointer items-center text-sm font-semibold text-accent">
          Show as a table
        </summary>
        <table className="w-full text-left text-[0.9375rem]">
          <thead>
            <tr className="text-sm text-ink-soft">
              <th className="py-1.5 font-normal">{by === 'day' ? 'Day' : 'Month'}</th>
              <th className="py-1.5 text-right font-normal">Images</th>
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ date, images }) => (
              <Row key={date} images={images}>
                {nameOf(date)}
              </Row>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

interface SumsProps<Id> {
  title: string;
  sums: readonly { of: Id; images: number }[];
  children: (id: Id) => ReactNode;
}

/** @param props children: what an id is called */
function Sums<Id extends string | null>({ title, sums, children }: SumsProps<Id>) {
  return (
    <div>
      <h3 className="font-semibold">{title}</h3>
      {sums.length === 0 ? (
        <p className="mt-1 text-ink-soft">No images.</p>
      ) : (
        <table className="mt-1 w-full text-left text-[0.9375rem]">
          <thead className="sr-only">
            <tr>
              <th>{title}</th>
              <th>Images</th>
            </tr>
          </thead>
          <tbody>
            {sums.map(({ of, images }) => (
              <Row key={of} images={images}>
                {children(of)}
              </Row>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function Row({ images, children }: { images: number; children: ReactNode }) {
  return (
    <tr className="border-t border-line align-top">
      <th className="py-2 font-normal [overflow-wrap:anywhere]">{children}</th>
      <td className="py-2 pl-3 text-right tabular-nums">{images.toLocaleString('en')}</td>
    </tr>
  );
}
