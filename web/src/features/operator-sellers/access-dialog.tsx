import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import {
  type OperatorBilling,
  type OperatorBillingChoice,
  type OperatorSellerView,
  operatorBillingChoices,
  operatorReasonSchema,
} from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Choices } from '#web/ui/choices.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { TextAreaField } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ListSkeleton } from '#web/ui/skeleton.tsx';
import { actOnSeller, fetchBilling, sellerKeys } from './api.ts';
import { banChoices, billingFacts, enableChoices } from './billing-texts.ts';

/** `end-billing`: for an account that is disabled already. */
export type AccessAction = 'disable' | 'enable' | 'end-billing';

const texts: Readonly<Record<AccessAction, { title: string; effect: string; done: string }>> = {
  disable: {
    title: 'Disable the account',
    effect:
      'The seller is signed out everywhere and cannot sign in: “This account has been disabled. Please contact support.” Images stay.',
    done: 'The account is disabled.',
  },
  enable: {
    title: 'Enable the account',
    effect: 'The seller can sign in again.',
    done: 'The account is enabled.',
  },
  'end-billing': {
    title: 'End billing',
    effect: 'The account stays disabled.',
    done: 'Billing ends.',
  },
};

interface AccessDialogProps {
  id: string;
  seller: OperatorSellerView;
  action: AccessAction;
  onDone: (seller: OperatorSellerView, message: string) => void;
  onClose: () => void;
}

/** Disables or enables an account, and asks what becomes of the billing: with dates and amounts, as Stripe has them now. */
export function AccessDialog(props: AccessDialogProps) {
  const { id, action, onClose } = props;
  const { data, error, refetch } = useQuery({
    queryKey: sellerKeys.billing(id),
    queryFn: ({ signal }) => fetchBilling(id, signal),
    // What it says is decided on.
    staleTime: 0,
    gcTime: 0,
  });
  const { title, effect } = texts[action];
  return (
    <Dialog open onClose={onClose} title={title} description={effect}>
      {error && <ListError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton />}
      {data && <AccessForm {...props} billing={data} />}
    </Dialog>
  );
}

function AccessForm({
  id,
  seller,
  action,
  billing,
  onDone,
  onClose,
}: AccessDialogProps & { billing: OperatorBilling }) {
  const dates = useDates();
  const choices =
    action === 'enable'
      ? enableChoices(seller, billing, dates)
      : banChoices(seller, billing, dates).filter(
          ({ value }) => action === 'disable' || (value !== 'leave' && value !== seller.billingOrder?.kind),
        );
  const form = useForm({
    resolver: zodResolver(
      z.object({
        reason: operatorReasonSchema,
        billing: z.enum(operatorBillingChoices, { error: 'Please choose what becomes of the billing.' }),
      }),
    ),
    // Without a subscription nothing is asked; pages to pay on that are still open are closed.
    defaultValues: {
      reason: '',
      billing: (choices.length > 0 ? '' : action === 'enable' ? 'leave' : 'end-now') as OperatorBillingChoice,
    },
  });
  const { title, done } = texts[action];
  const apiAction = action === 'enable' ? 'enable' : 'disable';
  const mutation = useFormMutation(
    form,
    ({ reason, billing: chosen }) => actOnSeller(id, apiAction, { reason, billing: chosen }),
    {
      onSuccess: (changed) => {
        const isPending = changed.billingOrder?.pending === true;
        onDone(changed, isPending ? `${done} Stripe is still to be told.` : done);
        onClose();
      },
    },
  );
  return (
    <DialogForm mutation={mutation} submitLabel={title} busyLabel="One moment…" onCancel={onClose}>
      {billing.source === 'stored' && (
        <Notice tone="info">
          Stripe does not answer. This is what is stored here, without amounts. What you choose is carried out
          when Stripe answers.
        </Notice>
      )}
      <div className="grid gap-1 text-[0.9375rem]">
        {billingFacts(billing, dates).map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
      </div>
      {choices.length > 0 && (
        <Choices legend="Billing" options={choices} field={registerField(form, 'billing')} />
      )}
      <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      {billing.lastPayment && action !== 'enable' && (
        <p className="text-sm text-ink-soft">
          Nothing is refunded automatically. Refunds are made in Stripe’s Dashboard, for the customer{' '}
          {seller.customerId}.
        </p>
      )}
    </DialogForm>
  );
}
