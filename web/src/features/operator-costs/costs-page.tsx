import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { dollarsText, type OperatorCosts, type OperatorCostsDays, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Figures, OperatorHeading } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { fetchCosts } from './api.ts';
import { type CostGroup, csvOf, groupsOf, perImage, sumsOf } from './cost-sums.ts';

const refetchMs = 10_000;

const ranges: readonly { days: OperatorCostsDays; name: string }[] = [
  { days: '1', name: 'Today' },
  { days: '7', name: '7 days' },
  { days: '31', name: '31 days' },
];

/** What images cost us: by day, by kind of image, and by seller. */
export function CostsPage() {
  const [days, setDays] = useState<OperatorCostsDays>('7');
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'costs', days],
    queryFn: ({ signal }) => fetchCosts(days, signal),
    refetchInterval: refetchMs,
    placeholderData: (before) => before,
  });
  return (
    <>
      <OperatorHeading>Costs</OperatorHeading>
      {!data && !error && <ListSkeleton />}
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Today costs={data} />
          <Period costs={data} days={days} onChange={setDays} />
          <Section id="kinds" title="By model, size and quality">
            <CostTable
              name="Image"
              groups={groupsOf(
                data.lines,
                ({ model, size, quality }) => `${model}, ${size.replace('x', ' × ')}, ${quality}`,
              ).toSorted((one, other) => other.amount - one.amount)}
            />
          </Section>
          <Sellers costs={data} />
        </>
      )}
    </>
  );
}

function Today({ costs: { billed, model, price, today } }: { costs: OperatorCosts }) {
  const dates = useDates();
  const { total, underWay, callsUnderWay, cap, stoppedUntil } = today;
  return (
    <Section id="today" title="Today" lead="Days are in UTC. The invoice of the provider counts in the end.">
      <div className="grid gap-2">
        {!billed && (
          <Notice tone="info">This installation makes its images without a provider that bills them.</Notice>
        )}
        {billed && !price && (
          <Notice tone="danger">
            No price of {model} is known, so what its images cost is unknown. Set IMAGE_PRICES.
          </Notice>
        )}
        {stoppedUntil !== null && (
          <Notice tone="danger">
            The daily cap is reached: images wait until {dates.dateTime(stoppedUntil)}, or until workers start
            with a larger PROVIDER_DAILY_CAP.
          </Notice>
        )}
      </div>
      <div className="mt-5">
        <Figures
          items={[
            { name: 'Spent and reserved', value: dollarsText(total) },
            {
              name: callsUnderWay === 1 ? 'Reserved for 1 call' : `Reserved for ${callsUnderWay} calls`,
              value: dollarsText(underWay),
            },
            { name: 'Daily cap', value: cap === null ? 'None' : dollarsText(cap) },
            ...(cap === null ? [] : [{ name: 'Left today', value: dollarsText(Math.max(0, cap - total)) }]),
          ]}
        />
      </div>
      {price && (
        <p className="mt-5 text-sm text-ink-soft">
          {model} since {price.from}, for a million tokens: text sent {dollarsText(price.textInput)}, pictures
          sent {dollarsText(price.imageInput)}, images {dollarsText(price.imageOutput)}.
        </p>
      )}
    </Section>
  );
}

interface PeriodProps {
  costs: OperatorCosts;
  days: OperatorCostsDays;
  onChange: (days: OperatorCostsDays) => void;
}

function Period({ costs: { lines }, days, onChange }: PeriodProps) {
  const sums = sumsOf(lines);
  const each = perImage(sums);
  return (
    <Section
      id="days"
      title="By day"
      trailing={
        <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
          {ranges.map((range) => (
            <Button
              key={range.days}
              variant={range.days === days ? 'primary' : 'secondary'}
              aria-pressed={range.days === days}
              onClick={() => onChange(range.days)}
            >
              {range.name}
            </Button>
          ))}
          <a
            className={textLinkClass}
            download={`costs-${lines.at(-1)?.day ?? 'none'}-to-${lines[0]?.day ?? 'none'}.csv`}
            href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(lines))}`}
          >
            Download CSV
          </a>
        </div>
      }
    >
      <Figures
        items={[
          { name: 'Cost', value: dollarsText(sums.amount) },
          { name: 'Images', value: sums.images },
          { name: 'Cost of an image', value: each === null ? '–' : dollarsText(each) },
          { name: 'Of it estimated', value: dollarsText(sums.estimated) },
          { name: 'Calls of unknown cost', value: sums.unknown },
        ]}
      />
      <div className="mt-5">
        <CostTable name="Day" groups={groupsOf(lines, ({ day }) => day)} />
      </div>
      <p className="mt-4 text-sm text-ink-soft">
        Estimated is the most that a call can cost that reported nothing: it failed, was stopped, or its
        worker died.
      </p>
    </Section>
  );
}

function CostTable({ name, groups }: { name: string; groups: readonly CostGroup[] }) {
  if (groups.length === 0) return <p className="text-ink-soft">No calls.</p>;
  return (
    <Table heads={[name, 'Calls', 'Images', 'Cost', 'Estimated', 'Each image']}>
      {groups.map((group) => {
        const each = perImage(group);
        return (
          <Row
            key={group.name}
            name={name === 'Day' ? <span className="whitespace-nowrap">{group.name}</span> : group.name}
            cells={{
              Calls: group.calls,
              Images: group.images,
              Cost: group.unknown === group.calls ? 'unknown' : dollarsText(group.amount),
              Estimated: group.estimated === 0 ? '–' : dollarsText(group.estimated),
              'Each image': each === null ? '–' : dollarsText(each),
            }}
          />
        );
      })}
    </Table>
  );
}

function Sellers({ costs: { sellers } }: { costs: OperatorCosts }) {
  return (
    <Section id="sellers" title="Sellers whose images cost most">
      {sellers.length === 0 ? (
        <p className="text-ink-soft">No calls.</p>
      ) : (
        <Table heads={['Seller', 'Calls', 'Cost']}>
          {sellers.map(({ id, email, calls, amount }) => (
            <Row
              key={id}
              name={
                id === null ? (
                  'Deleted accounts'
                ) : (
                  <Link to={`${pages.operator}/sellers/${id}`} className={textLinkClass}>
                    <Name>{email || id}</Name>
                  </Link>
                )
              }
              cells={{ Calls: calls, Cost: dollarsText(amount) }}
            />
          ))}
        </Table>
      )}
    </Section>
  );
}

/** Columns that narrow windows have no room for. */
const wideOnly = ['Calls', 'Estimated'];

const cellClass = (head: string) =>
  `pl-3 text-right whitespace-nowrap ${wideOnly.includes(head) ? 'hidden sm:table-cell' : ''}`;

/** @param heads the first one is that of the names */
function Table({ heads, children }: { heads: readonly string[]; children: ReactNode }) {
  const [first, ...others] = heads;
  return (
    <table className="w-full text-left text-[0.9375rem]">
      <thead>
        <tr className="text-sm text-ink-soft">
          <th className="py-1.5 font-normal">{first}</th>
          {others.map((head) => (
            <th key={head} className={`py-1.5 font-normal ${cellClass(head)}`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** @param cells by the heads of their columns */
function Row({ name, cells }: { name: ReactNode; cells: Readonly<Record<string, string | number>> }) {
  return (
    <tr className="border-t border-line align-top">
      <th className="py-2 font-normal [overflow-wrap:anywhere]">{name}</th>
      {Object.entries(cells).map(([head, cell]) => (
        <td key={head} className={`py-2 tabular-nums ${cellClass(head)}`}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
