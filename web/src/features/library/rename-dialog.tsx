import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { type GenerationView, limits, productNameSchema, skuSchema } from '#contract';
import { cacheGeneration } from '#web/lib/live/cache.ts';
import { registerField, useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { changeGeneration } from './api.ts';

interface RenameDialogProps {
  view: GenerationView;
  onClose: () => void;
}

const renameSchema = z.object({ productName: productNameSchema, sku: skuSchema });

/** Changes the product name of a generation, which is also the file name of its downloads, and its SKU. */
export function RenameDialog({ view, onClose }: RenameDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(renameSchema),
    defaultValues: { productName: view.productName, sku: view.sku },
  });
  const mutation = useFormMutation(form, (change) => changeGeneration(view.id, change), {
    onSuccess: (renamed) => {
      cacheGeneration(client, renamed);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title="Rename">
      <DialogForm mutation={mutation} submitLabel="Save" onCancel={onClose}>
        <Field
          label="Product name"
          hint="Used as the file name"
          maxLength={limits.productNameCharacters}
          {...registerField(form, 'productName')}
        />
        <Field
          label="SKU"
          hint="Your own number of the product. The library finds the image by it."
          maxLength={limits.skuCharacters}
          {...registerField(form, 'sku')}
        />
      </DialogForm>
    </Dialog>
  );
}
