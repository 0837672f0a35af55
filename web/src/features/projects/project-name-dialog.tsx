import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { createProjectSchema, limits, type ProjectView } from '#contract';
import { queryKeys } from '#web/lib/query-keys.ts';
import { useFormMutation } from '#web/lib/use-form-mutation.ts';
import { Dialog, DialogForm } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { saveProject } from './api.ts';

interface ProjectNameDialogProps {
  /** The project to rename; null to create one. */
  project: ProjectView | null;
  onClose: () => void;
}

/** Creates or renames a project. */
export function ProjectNameDialog({ project, onClose }: ProjectNameDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(createProjectSchema),
    defaultValues: { name: project?.name ?? '' },
  });
  const mutation = useFormMutation(form, (body) => saveProject(project?.id ?? null, body), {
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.projects });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={project ? 'Rename project' : 'New project'}>
      <DialogForm mutation={mutation} submitLabel={project ? 'Save' : 'Create'} onCancel={onClose}>
        <Field
          label="Name"
          maxLength={limits.projectNameCharacters}
          error={form.formState.errors.name && 'Please enter a name.'}
          {...form.register('name')}
        />
      </DialogForm>
    </Dialog>
  );
}
