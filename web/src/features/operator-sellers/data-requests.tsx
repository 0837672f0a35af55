import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import {
  limits,
  liveStatuses,
  type OperatorSellerView,
  operatorDeletionSchema,
  pages,
  plans,
} from '#contract';
import { useDates } from '#web/lib/dates.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Choices } from '#web/ui/choices.tsx';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { ExportReadyDialog } from '#web/ui/export-ready-dialog.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { Name } from '#web/ui/name.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ReasonDialog } from '#web/ui/operator.tsx';
import { Section } from '#web/ui/section.tsx';
import { actOnSeller, deleteSeller, exportSeller } from './api.ts';

interface DataRequestsProps {
  id: string;
  seller: OperatorSellerView;
  onDone: (seller: OperatorSellerView, message: string) => void;
}

/** For a person who asks for a copy of their data, or for its deletion. */
export function DataRequests({ id, seller, onDone }: DataRequestsProps) {
  const dates = useDates();
  const [open, setOpen] = useState<'export' | 'delete' | 'keep' | null>(null);
  const { user, deletionAskedAt, deletionDueAt = null } = seller;
  const close = () => setOpen(null);
  return (
    <Section
      id="data-requests"
      title="Data requests"
      lead="When somebody asks for a copy of their data, or for its deletion, by mail for instance. Make sure first that it is the owner who asks."
    >
      {deletionAskedAt === null && deletionDueAt !== null && (
        <div className="mb-5 grid justify-items-start gap-3">
          <Notice tone="danger">The account will be deleted on {dates.dateTime(deletionDueAt)}.</Notice>
          <Button variant="secondary" onClick={() => setOpen('keep')}>
            Keep the account
          </Button>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" disabled={deletionAskedAt !== null} onClick={() => setOpen('export')}>
          Export the data
        </Button>
        <Button
          variant="secondary"
          className="border-danger! text-danger!"
          disabled={deletionAskedAt !== null || user.operator}
          onClick={() => setOpen('delete')}
        >
          Delete the account
        </Button>
      </div>
      {user.operator && (
        <p className="mt-3 text-sm text-ink-soft">
          An operator’s account can be deleted once the role is revoked: npm run operator -- revoke.
        </p>
      )}
      {open === 'export' && <ExportDialog id={id} onClose={close} />}
      {open === 'delete' && <DeleteDialog id={id} seller={seller} onDone={onDone} onClose={close} />}
      {open === 'keep' && (
        <ReasonDialog
          title="Keep the account"
          description="The account will not be deleted. If its plan was to end with it, it renews again."
          submitLabel="Keep the account"
          run={(reason) => actOnSeller(id, 'stop-deletion', { reason })}
          onDone={(changed) => onDone(changed, 'The account stays.')}
          onClose={close}
        />
      )}
    </Section>
  );
}

/** Asks why, then offers the ZIP as a link: browsers save it while it arrives, however large it is. */
function ExportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const [url, setUrl] = useState<string | null>(null);
  if (url === null) {
    return (
      <ReasonDialog
        title="Export the data"
        description="Everything about the person, with photos and images, as they can download it themselves. They are told by mail and in their activity log. Give it to nobody but them."
        submitLabel="Export the data"
        run={(reason) => exportSeller(id, reason)}
        onDone={(reply) => setUrl(reply.url)}
        onClose={onClose}
        staysOpen
      />
    );
  }
  return (
    <ExportReadyDialog
      title="The export is ready"
      afterwards="ask for it again."
      url={url}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ id, seller, onDone, onClose }: DataRequestsProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const { user, plan, deletionDueAt = null } = seller;
  const form = useForm({
    resolver: zodResolver(operatorDeletionSchema),
    defaultValues: { reason: '', email: '', when: '' as 'now' },
  });
  const mutation = useFormMutation(form, (values) => deleteSeller(id, values), {
    onSuccess: ({ seller: planned }) => {
      onClose();
      if (planned) return onDone(planned, 'The account will be deleted.');
      toast.success('The account is being deleted.');
      navigate(`${pages.operator}/sellers`);
    },
  });
  const hasPlan = liveStatuses.includes(plan.status);
  const name = plans[plan.plan].name;
  const options = [
    {
      value: 'notice',
      label: `In ${limits.deletionNoticeDays} days`,
      effect: `A mail tells the person, who can object: then choose “Keep the account”.${hasPlan ? ` The ${name} plan is not renewed until then.` : ''}`,
    },
    {
      value: 'now',
      label: 'At once',
      effect: `Nobody can sign in any more. Photos, images and everything else are removed within a minute.${hasPlan ? ` The ${name} plan ends at once.` : ''} This cannot be undone.`,
    },
  ] as const;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete the account"
      description="Invoices stay with Stripe, and the audit log keeps that it was done and why, with the ID alone: write no names into the reason. Nothing is refunded."
    >
      <DialogForm
        mutation={mutation}
        submitLabel="Delete the account"
        submitClassName="bg-danger!"
        busyLabel="One moment…"
        onCancel={onClose}
      >
        <Choices
          legend="When"
          options={options.filter(({ value }) => value === 'now' || deletionDueAt === null)}
          field={registerField(form, 'when')}
        />
        <div>
          <p className="mb-3 text-sm">
            To confirm, type <Name className="font-semibold [overflow-wrap:anywhere]">{user.email}</Name>
          </p>
          <Field
            label="Email of the account"
            type="email"
            autoComplete="off"
            {...registerField(form, 'email')}
          />
        </div>
        <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      </DialogForm>
    </Dialog>
  );
}
