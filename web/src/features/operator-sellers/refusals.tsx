import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { type OperatorRefusalDays, type OperatorSellerRefusals, operatorNoteSchema, pages } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button, textLinkClass } from '#web/ui/button.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { addNote, fetchRefusals, fetchRefusedSellers, listNotes, sellerKeys } from './api.ts';

const stageText = { input: 'scene or photos', output: 'finished image' } as const;
const whatText = (stage: keyof typeof stageText | null) =>
  stage === null ? 'stage not known' : stageText[stage];

/** What moderation refused of a seller in the last 30 days. */
export function SellerRefusals({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: sellerKeys.refusals(id),
    queryFn: ({ signal }) => fetchRefusals(id, signal),
  });
  return (
    <Section
      id="refusals"
      title="Refused by moderation"
      lead="In the last 30 days, also of deleted images. The image service suspends accounts for repeated violations: ours, not the seller’s."
    >
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.total === 0 && <p className="text-ink-soft">Nothing was refused.</p>}
      {data && data.total > 0 && <RefusalLists refusals={data} />}
    </Section>
  );
}

function RefusalLists({ refusals: { days, refusals, total } }: { refusals: OperatorSellerRefusals }) {
  const dates = useDates();
  return (
    <div className="grid gap-6">
      <div>
        <h3 className="font-semibold">By day</h3>
        <ul className="mt-1 divide-y divide-line">
          {days.map(({ day, stage, category, count }) => (
            <li
              key={`${day} ${stage} ${category}`}
              className="flex flex-wrap justify-between gap-x-4 py-2 text-[0.9375rem]"
            >
              <span>
                {day} · <Name>{category ?? 'no category given'}</Name>
                <span className="text-ink-soft"> · {whatText(stage)}</span>
              </span>
              <span className="tabular-nums">{count}</span>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="font-semibold">
          {total === refusals.length ? 'Each image' : `The newest ${refusals.length} of ${total}`}
        </h3>
        <ul className="mt-1 divide-y divide-line">
          {refusals.map(({ id, at, stage, categories }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2 text-[0.9375rem]">
              <span>
                <Link to={`${pages.operator}/generations/${id}`} className={textLinkClass}>
                  {dates.dateTime(at)}
                </Link>
                <span className="text-ink-soft"> · {whatText(stage)}</span>
              </span>
              <Name>{categories.length > 0 ? categories.join(', ') : 'no category given'}</Name>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The notes of operators on a seller, and a form for another one. */
export function SellerNotes({ id }: { id: string }) {
  const client = useQueryClient();
  const dates = useDates();
  const { data, error, refetch } = useQuery({
    queryKey: sellerKeys.notes(id),
    queryFn: ({ signal }) => listNotes(id, signal),
  });
  const form = useForm({ resolver: zodResolver(operatorNoteSchema), defaultValues: { text: '' } });
  const mutation = useFormMutation(form, ({ text }) => addNote(id, text), {
    onSuccess: (list) => {
      client.setQueryData(sellerKeys.notes(id), list);
      void client.invalidateQueries({ queryKey: ['operator', 'actions'] });
      form.reset();
    },
  });
  return (
    <Section
      id="notes"
      title="Notes"
      lead="For operators only. A note is a line of the audit log: it cannot be changed or removed, and stays when the account is deleted."
    >
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      <form noValidate onSubmit={mutation.submit} className="grid justify-items-start gap-3">
        <div className="w-full max-w-2xl">
          <TextAreaField label="Note" rows={3} maxLength={2_000} {...registerField(form, 'text')} />
        </div>
        {mutation.formError !== null && <Notice tone="danger">{mutation.formError}</Notice>}
        <SubmitButton variant="secondary" busy={mutation.isPending} busyLabel="One moment…">
          Add note
        </SubmitButton>
      </form>
      <ul className="mt-5 divide-y divide-line empty:hidden">
        {data?.notes.map(({ id: noteId, at, operator, text }) => (
          <li key={noteId} className="grid gap-1 py-3 text-[0.9375rem]">
            <p className="text-sm text-ink-soft">
              <Name>{operator}</Name> · <time dateTime={at}>{dates.dateTime(at)}</time>
            </p>
            <p dir="auto" className="whitespace-pre-line break-words">
              {text}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const periods = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
] as const satisfies readonly (readonly [OperatorRefusalDays, string])[];

/** The sellers whose images moderation refused most often. */
export function RefusedSellers() {
  const dates = useDates();
  const [days, setDays] = useState<OperatorRefusalDays>('7');
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'refused-sellers', days],
    queryFn: ({ signal }) => fetchRefusedSellers(days, signal),
  });
  return (
    <Section
      id="refused-sellers"
      title="Sellers with many refusals"
      lead="By how often moderation refused their images. The first 50."
      trailing={
        <div className="flex flex-wrap gap-2">
          {periods.map(([value, name]) => (
            <Button
              key={value}
              variant={value === days ? 'primary' : 'secondary'}
              aria-pressed={value === days}
              onClick={() => setDays(value)}
            >
              {name}
            </Button>
          ))}
        </div>
      }
    >
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data?.sellers.length === 0 && <p className="text-ink-soft">Nobody’s images were refused.</p>}
      <ul className="divide-y divide-line">
        {data?.sellers.map(({ id, email, refusals, last }) => (
          <li key={id}>
            <Link
              to={`${pages.operator}/sellers/${id}#refusals`}
              className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-lg px-2 py-3 hover:bg-sunken"
            >
              <Name className="min-w-0 font-semibold break-words">{email ?? id}</Name>
              <span className="text-sm text-ink-soft">
                {refusals === 1 ? '1 image' : `${refusals.toLocaleString('en')} images`}, last on{' '}
                {dates.dateTime(last)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
