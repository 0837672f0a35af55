import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { latinDigits, type OperatorSellerView, operatorDailyLimitSchema } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { Section } from '#web/ui/section.tsx';
import { setDailyLimit } from './api.ts';

interface DailyLimitProps {
  id: string;
  today: NonNullable<OperatorSellerView['today']>;
  onDone: (seller: OperatorSellerView, message: string) => void;
}

/** How many images a seller asked for today, of how many, and how an operator changes the limit. */
export function DailyLimit({ id, today: { images, limit, ownSince }, onDone }: DailyLimitProps) {
  const dates = useDates();
  const [asking, setAsking] = useState(false);
  const whose =
    ownSince === null ? 'of the installation' : `set by an operator on ${dates.dateTime(ownSince)}`;
  return (
    <Section
      id="daily-limit"
      title="Daily limit"
      lead="Images that the seller asked for since 00:00 UTC. What failed on our side does not count."
      trailing={
        <Button variant="secondary" onClick={() => setAsking(true)}>
          Change the daily limit
        </Button>
      }
    >
      <p>
        {limit === null
          ? `${images.toLocaleString('en')} images today, without a limit`
          : `${images.toLocaleString('en')} of ${limit.toLocaleString('en')} images today`}
        <span className="text-ink-soft">
          {' '}
          · {limit === null && ownSince === null ? 'as in the settings' : whose}
        </span>
      </p>
      {asking && <LimitDialog id={id} onDone={onDone} onClose={() => setAsking(false)} />}
    </Section>
  );
}

const { limit: limitSchema, reason } = operatorDailyLimitSchema.shape;
const formSchema = z.object({
  kind: z.enum(['number', 'none', 'installation']),
  images: z.string().overwrite(latinDigits),
  reason,
});

const kinds = [
  ['number', 'A number of images a day'],
  ['none', 'No limit'],
  ['installation', 'The limit of the installation'],
] as const;

function LimitDialog({
  id,
  onDone,
  onClose,
}: Pick<DailyLimitProps, 'id' | 'onDone'> & { onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(
      formSchema.check(({ value, issues }) => {
        const read =
          value.kind === 'number' && limitSchema.options[1].safeParse(Number(value.images || Number.NaN));
        if (!read || read.success) return;
        const [issue] = read.error.issues;
        issues.push({ code: 'custom', message: issue?.message, input: value.images, path: ['images'] });
      }),
    ),
    defaultValues: { kind: 'number' as const, images: '', reason: '' },
  });
  const mutation = useFormMutation(
    form,
    ({ kind, images, reason }) =>
      setDailyLimit(id, { limit: kind === 'number' ? Number(latinDigits(images)) : kind, reason }),
    {
      onSuccess: (seller) => {
        onDone(seller, 'The daily limit was changed.');
        onClose();
      },
    },
  );
  const kind = form.watch('kind') as (typeof kinds)[number][0];
  return (
    <Dialog
      open
      onClose={onClose}
      title="Change the daily limit"
      description="It counts at once: what was asked for today stays counted. Batches that wait for the next day go on if it allows them. The seller sees the number in the studio."
    >
      <DialogForm
        mutation={mutation}
        submitLabel="Change the daily limit"
        busyLabel="One moment…"
        onCancel={onClose}
      >
        <fieldset className="grid gap-1">
          <legend className="sr-only">The limit</legend>
          {kinds.map(([value, label]) => (
            <label key={value} className="flex min-h-11 items-center gap-2.5">
              <input type="radio" value={value} className="accent-accent" {...form.register('kind')} />
              {label}
            </label>
          ))}
        </fieldset>
        {kind === 'number' && (
          <Field
            label="Images a day"
            inputMode="numeric"
            autoComplete="off"
            {...registerField(form, 'images')}
          />
        )}
        <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      </DialogForm>
    </Dialog>
  );
}
