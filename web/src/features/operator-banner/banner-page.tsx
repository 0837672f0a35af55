import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { z } from 'zod';
import { limits, type OperatorBanner, setBannerSchema } from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { queryKeys } from '#web/lib/query-keys.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { OperatorHeading, ReasonDialog } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { SubmitButton } from '#web/ui/submit-button.tsx';
import { fetchBanner, removeBanner, setBanner } from './api.ts';

const bannerKey = ['operator', 'banner'];

/** The message that sellers read on every page: see it, replace it, remove it. */
export function BannerPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: bannerKey,
    queryFn: ({ signal }) => fetchBanner(signal),
  });
  const [removing, setRemoving] = useState(false);
  const apply = (changed: OperatorBanner, message: string) => {
    client.setQueryData(bannerKey, changed);
    void client.invalidateQueries({ queryKey: queryKeys.service });
    toast.success(message);
  };
  return (
    <>
      <OperatorHeading>Banner and maintenance</OperatorHeading>
      <Section
        id="banner"
        title="What sellers read now"
        trailing={
          data?.banner && (
            <Button variant="secondary" onClick={() => setRemoving(true)}>
              Remove
            </Button>
          )
        }
      >
        {!data && !error && <ListSkeleton rows={1} />}
        {error && <ListError error={error} onRetry={() => void refetch()} />}
        {data && <Current banner={data.banner} />}
      </Section>
      <Section
        id="new-banner"
        title="Show a banner"
        lead="On every page of signed-in sellers, within a minute. For a maintenance, also choose when no new images are accepted."
      >
        <BannerForm onDone={(changed) => apply(changed, 'Sellers see the banner now.')} />
      </Section>
      {removing && (
        <ReasonDialog
          title="Remove the banner"
          description="Sellers no longer see it."
          submitLabel="Remove"
          run={removeBanner}
          onDone={(changed) => apply(changed, 'The banner was removed.')}
          onClose={() => setRemoving(false)}
        />
      )}
    </>
  );
}

function Current({ banner }: OperatorBanner) {
  const dates = useDates();
  if (!banner) return <p className="text-ink-soft">There is no banner.</p>;
  return (
    <>
      <Notice tone="info">{banner.text}</Notice>
      <p className="mt-2 text-sm text-ink-soft">
        {banner.until === null ? 'Until it is removed.' : `Until ${dates.dateTime(banner.until)}.`}
        {banner.closedFrom !== null && ` No new images from ${dates.dateTime(banner.closedFrom)}.`}
      </p>
    </>
  );
}

const { text, reason } = setBannerSchema.shape;
const formSchema = z.object({ text, closedFrom: z.string(), until: z.string(), reason });

/** A field has the time of the operator's place. */
const momentOf = (local: string) => (local === '' ? null : new Date(local).toISOString());

function BannerForm({ onDone }: { onDone: (changed: OperatorBanner) => void }) {
  const form = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { text: '', closedFrom: '', until: '', reason: '' },
  });
  const { submit, isPending, formError } = useFormMutation(
    form,
    ({ until, closedFrom, ...rest }) =>
      setBanner({ ...rest, until: momentOf(until), closedFrom: momentOf(closedFrom) }),
    {
      onSuccess: (changed) => {
        form.reset();
        onDone(changed);
      },
    },
  );
  return (
    <form noValidate onSubmit={submit} className="grid max-w-xl gap-5">
      {formError && <Notice tone="danger">{formError}</Notice>}
      <TextAreaField
        label="Text"
        rows={2}
        maxLength={limits.bannerCharacters}
        {...registerField(form, 'text')}
      />
      <Field
        type="datetime-local"
        label="No new images from (optional)"
        hint="Images under way are made; those of batches wait until the time below."
        {...registerField(form, 'closedFrom')}
      />
      <Field type="datetime-local" label="Until (optional)" {...registerField(form, 'until')} />
      <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      <SubmitButton busy={isPending} busyLabel="One moment…" className="justify-self-start">
        Show to sellers
      </SubmitButton>
    </form>
  );
}
