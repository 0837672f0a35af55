import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { networkError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ListError } from '#web/ui/list-status.tsx';
import { Code } from './code.tsx';
import { addressOf, type Operation } from './document.ts';

/** Sends a request that only reads, with the key that was pasted, and shows what comes back. */
export function TryRequest({ operation, apiKey }: { operation: Operation; apiKey: string }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const parameters = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header');
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => send(addressOf(operation, values), apiKey),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3">
      <h3 className="font-semibold">Try it</h3>
      {parameters.length > 0 && (
        <div className="grid w-full gap-3 sm:grid-cols-2">
          {parameters.map(({ name, in: place, required = false }) => (
            <Field
              key={name}
              label={name}
              required={required || place === 'path'}
              value={values[name] ?? ''}
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
              autoComplete="off"
            />
          ))}
        </div>
      )}
      <Button type="submit" variant="secondary" disabled={isPending}>
        {isPending ? 'Sending…' : 'Send'}
      </Button>
      {error && <ListError error={error} onRetry={() => mutate()} />}
      <div aria-live="polite" className="grid w-full grid-cols-[minmax(0,1fr)] gap-2">
        {data && (
          <>
            <p className="text-sm text-ink-soft">Answer {data.status}</p>
            <Code text={data.text} />
          </>
        )}
      </div>
    </form>
  );
}

/** What a program would get, without the session of this browser. @throws ApiError when there is no answer */
async function send(address: string, apiKey: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(address, {
    headers: { authorization: `Bearer ${apiKey}` },
    credentials: 'omit',
    cache: 'no-store',
  }).catch(() => {
    throw networkError();
  });
  const type = reply.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const { size } = await reply.blob();
    return { status: reply.status, text: `${type}, ${size.toLocaleString('en')} bytes` };
  }
  return { status: reply.status, text: JSON.stringify(await reply.json(), null, 2) };
}
