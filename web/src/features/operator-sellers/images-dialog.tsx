import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { latinDigits, type OperatorImages, type OperatorSellerView, operatorImagesSchema } from '#contract';
import { randomId } from '#web/lib/hex.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field, TextAreaField } from '#web/ui/field.tsx';
import { changeImages } from './api.ts';

const { count, reason } = operatorImagesSchema.shape;
const formSchema = z.object({
  count: z.coerce.string().overwrite(latinDigits).pipe(z.coerce.number()).pipe(count),
  reason,
});

interface ImagesDialogProps {
  id: string;
  action: OperatorImages['action'];
  /** Images that can be taken. */
  available: number;
  onDone: (seller: OperatorSellerView, message: string) => void;
  onClose: () => void;
}

/** Gives a seller images, or takes some. */
export function ImagesDialog({ id, action, available, onDone, onClose }: ImagesDialogProps) {
  // One for the dialog: submitting again after a lost reply gives nothing twice.
  const [key] = useState(randomId);
  const form = useForm({
    resolver: zodResolver(formSchema),
    defaultValues: { count: '' as unknown, reason: '' },
  });
  const gives = action === 'give';
  const mutation = useFormMutation(
    form,
    (values) => changeImages(id, { action, key, ...formSchema.parse(values) }),
    {
      onSuccess: (seller) => {
        onDone(seller, gives ? 'The images were given.' : 'The images were taken.');
        onClose();
      },
    },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={gives ? 'Give images' : 'Take images'}
      description={
        gives
          ? 'They become free images: they need no plan and do not expire. The seller sees them at once, and reads “Images added by our support” under Usage.'
          : `At most ${available} can be taken, free images first. The seller sees it at once, and reads “Images removed by our support” under Usage.`
      }
    >
      <DialogForm
        mutation={mutation}
        submitLabel={gives ? 'Give images' : 'Take images'}
        busyLabel="One moment…"
        onCancel={onClose}
      >
        <Field
          label="Number of images"
          inputMode="numeric"
          autoComplete="off"
          {...registerField(form, 'count')}
        />
        <TextAreaField label="Reason, for the audit log" rows={2} {...registerField(form, 'reason')} />
      </DialogForm>
    </Dialog>
  );
}
