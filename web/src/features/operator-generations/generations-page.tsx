import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router-dom';
import {
  generationFailureCodes,
  generationStates,
  type OperatorGeneration,
  operatorGenerationQuerySchema,
  pages,
} from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PagedListFooter } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { OperatorHeading } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { LabelledSelect } from '#web/ui/select.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { searchGenerations } from './api.ts';

const conditions = ['id', 'seller', 'state', 'failure', 'until'] as const;

/** Finds generations of all sellers. The search is part of the address, so that "back" returns to it. */
export function GenerationsPage() {
  const [params, setParams] = useSearchParams();
  const search = new URLSearchParams(
    conditions.flatMap((name) => {
      const value = params.get(name)?.trim() ?? '';
      if (value === '') return [];
      return [[name, name === 'until' ? endOfDay(value) : value]];
    }),
  );
  const isValid = operatorGenerationQuerySchema.safeParse(Object.fromEntries(search)).success;
  const list = useInfiniteQuery({
    queryKey: ['operator', 'generations', search.toString()],
    queryFn: ({ pageParam, signal }) => searchGenerations(search, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    enabled: isValid,
  });
  const found = list.data?.pages.flatMap(({ generations }) => generations) ?? [];
  const choose = (name: (typeof conditions)[number], value: string) =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return (
    <>
      <OperatorHeading>Generations</OperatorHeading>
      <Section id="search" title="Find generations">
        <search>
          <form
            key={params.toString()}
            className="grid gap-4 sm:grid-cols-2"
            onSubmit={(event) => {
              event.preventDefault();
              const entered = new FormData(event.currentTarget);
              setParams((before) => {
                const next = new URLSearchParams(before);
                for (const name of ['id', 'seller', 'until'])
                  next.set(name, String(entered.get(name)).trim());
                for (const [name, value] of [...next]) if (value === '') next.delete(name);
                return next;
              });
            }}
          >
            <Field
              name="id"
              label="ID, or the provider's request ID"
              autoComplete="off"
              defaultValue={params.get('id') ?? ''}
            />
            <Field
              name="seller"
              label="Seller: email or ID"
              autoComplete="off"
              defaultValue={params.get('seller') ?? ''}
            />
            <LabelledSelect
              label="State"
              value={params.get('state') ?? ''}
              options={[
                { value: '', label: 'Any' },
                ...generationStates.map((value) => ({ value, label: value })),
              ]}
              onChange={(value) => choose('state', value)}
            />
            <LabelledSelect
              label="Cause of failure"
              value={params.get('failure') ?? ''}
              options={[
                { value: '', label: 'Any' },
                ...generationFailureCodes.map((value) => ({ value, label: value })),
              ]}
              onChange={(value) => choose('failure', value)}
            />
            <Field
              name="until"
              type="date"
              label="Submitted until"
              defaultValue={params.get('until') ?? ''}
            />
            <div className="flex items-end">
              <Button type="submit">Search</Button>
            </div>
          </form>
        </search>
        <div className="mt-5">
          {!isValid && <p className="text-ink-soft">This search is not valid. Please check its fields.</p>}
          {isValid && list.isPending && <ListSkeleton />}
          {list.data && found.length === 0 && <p className="text-ink-soft">No generations found.</p>}
          <ul className="divide-y divide-line">
            {found.map((generation) => (
              <GenerationLine key={generation.id} generation={generation} />
            ))}
          </ul>
          <PagedListFooter list={list} />
        </div>
      </Section>
    </>
  );
}

/** The end of a day at the operator's place. */
function endOfDay(day: string): string {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? day : end.toISOString();
}

function GenerationLine({ generation }: { generation: OperatorGeneration }) {
  const dates = useDates();
  const { id, sellerEmail, state, failure, createdAt, endedAt } = generation;
  const seconds = endedAt === null ? null : (Date.parse(endedAt) - Date.parse(createdAt)) / 1_000;
  return (
    <li>
      <Link
        to={`${pages.operator}/generations/${id}`}
        className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-lg px-2 py-2.5 hover:bg-sunken md:flex-nowrap"
      >
        <span className="min-w-0">
          <span className="block font-semibold [overflow-wrap:anywhere]">
            {sellerEmail ? <Name>{sellerEmail}</Name> : 'an account that is gone'}
          </span>
          <span className="block font-mono text-sm break-words text-ink-soft">{id}</span>
        </span>
        <span className="text-sm text-ink-soft md:shrink-0">
          <span className={state === 'failed' ? 'font-semibold text-danger' : 'font-semibold text-ink'}>
            {state}
          </span>
          {failure !== null && ` · ${failure}`} · {dates.dateTime(createdAt)}
          {seconds !== null && ` · ${seconds.toFixed(1)} s`}
        </span>
      </Link>
    </li>
  );
}
