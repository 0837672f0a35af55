import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Code } from './code.tsx';
import {
  type ApiDocument,
  canBeTried,
  curlOf,
  exampleOf,
  fieldsOf,
  limitsOf,
  type Operation,
  type Reply,
  resolve,
  type Schema,
  typeOf,
} from './document.ts';
import { TryRequest } from './try-request.tsx';

interface OperationItemProps {
  document: ApiDocument;
  operation: Operation;
  /** Null until one was pasted. */
  apiKey: string | null;
}

const json = 'application/json';

/** One operation: closed, its method, address and purpose; opened, everything that can be sent and answered. */
export function OperationItem({ document, operation, apiKey }: OperationItemProps) {
  const [opened, setOpened] = useState(false);
  const { operationId, method, path, summary } = operation;
  return (
    <details
      id={operationId}
      className="group scroll-mt-24 rounded-card border border-line bg-surface shadow-card"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary className="flex min-h-14 cursor-pointer items-center gap-3 px-4 py-3 sm:px-5">
        <span className="min-w-0 flex-1">
          <span className="font-semibold">{summary}</span>
          <code translate="no" className="mt-0.5 block font-mono text-sm wrap-anywhere text-ink-soft">
            <span className={clsx('font-semibold', method === 'GET' ? 'text-good' : 'text-accent')}>
              {method}
            </span>{' '}
            {path}
          </code>
        </span>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-ink-soft group-open:rotate-180" />
      </summary>
      {opened && <Details document={document} operation={operation} apiKey={apiKey} />}
    </details>
  );
}

function Details({ document, operation, apiKey }: OperationItemProps) {
  const { description, parameters = [], requestBody, responses, security = [], operationId } = operation;
  const bodies = Object.entries(requestBody?.content ?? {});
  const replies = Object.entries(responses).map(
    ([status, reply]) => [status, resolve(document, reply)] as const,
  );
  const errors = replies.filter(([status]) => status >= '400');
  const curl = curlOf(document, operation, window.location.origin, apiKey ?? '<your API key>');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 border-t border-line px-4 py-5 sm:px-5">
      {description && (
        <p className="max-w-[68ch]">
          <Prose text={description} />
        </p>
      )}
      <p className="text-sm text-ink-soft">
        Scope <code translate="no">{security.flatMap((each) => Object.values(each).flat()).join(', ')}</code>,
        as a method of a generated client <code translate="no">{operationId}</code>
      </p>
      {parameters.length > 0 && (
        <Part title="Parameters">
          <Fields
            document={document}
            fields={parameters.map(({ name, in: place, required = false, schema, description: about }) => ({
              name,
              required,
              schema: { ...schema, ...(about !== undefined && { description: about }) },
              place,
            }))}
          />
        </Part>
      )}
      {bodies.map(([type, { schema }]) => (
        <Part key={type} title={type === json ? 'Body, as JSON' : 'Body, as a form'}>
          {schema && <Fields document={document} fields={fieldsOf(document, schema)} />}
        </Part>
      ))}
      <Part title="Request">
        <Code text={curl} />
        <CopyButton text={curl} otherwise="Select it and copy it yourself." />
      </Part>
      {replies
        .filter(([status]) => status < '400')
        .map(([status, reply]) => (
          <Part key={status} title={`Answer ${status}`}>
            <Answer document={document} reply={reply} />
          </Part>
        ))}
      {errors.length > 0 && (
        <Part title="Errors">
          <p className="text-ink-soft">{errors.map(([status]) => status).join(', ')}</p>
        </Part>
      )}
      {apiKey !== null && canBeTried(operation) && <TryRequest operation={operation} apiKey={apiKey} />}
    </div>
  );
}

function Answer({ document, reply }: { document: ApiDocument; reply: Reply }) {
  const content = reply.content?.[json];
  if (!content?.schema) {
    const types = Object.keys(reply.content ?? {}).join(', ');
    return <p className="text-ink-soft">{types === '' ? 'Nothing.' : `A file: ${types}`}</p>;
  }
  const example = exampleOf(document, content);
  // Everything that an answer can have is there, so it is not said of each.
  const fields = fieldsOf(document, content.schema).map((field) => ({ ...field, required: false }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-8 gap-y-3 lg:grid-cols-2">
      <Fields document={document} fields={fields} />
      {example !== undefined && <Code text={JSON.stringify(example, null, 2)} />}
    </div>
  );
}

interface ShownField {
  name: string;
  required: boolean;
  schema: Schema;
  /** Where it is sent, for a parameter. */
  place?: string;
}

interface FieldsProps {
  document: ApiDocument;
  fields: readonly ShownField[];
}

/** Fields with their types and limits; those of objects within are shown when they are opened. */
function Fields({ document, fields }: FieldsProps) {
  return (
    <ul className="divide-y divide-line">
      {fields.map(({ name, required, schema, place }) => (
        <li key={name} className="py-2">
          <p className="wrap-anywhere">
            <code translate="no" className="font-mono text-[0.9375rem] font-semibold">
              {name}
            </code>{' '}
            <span className="text-sm text-ink-soft">
              {[
                ...(place === undefined ? [] : [place]),
                typeOf(document, schema),
                ...limitsOf(document, schema),
                ...(required ? ['required'] : []),
              ].join(' · ')}
            </span>
          </p>
          {schema.description && (
            <p className="text-sm">
              <Prose text={schema.description} />
            </p>
          )}
          <Inner document={document} name={name} schema={schema} />
        </li>
      ))}
    </ul>
  );
}

function Inner({ document, name, schema }: { document: ApiDocument; name: string; schema: Schema }) {
  const [opened, setOpened] = useState(false);
  const fields = fieldsOf(document, schema);
  if (fields.length === 0) return null;
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary className="flex min-h-11 cursor-pointer items-center text-sm font-semibold text-accent">
        Fields of {name}
      </summary>
      {opened && (
        <div className="border-l-2 border-line pl-4">
          <Fields document={document} fields={fields} />
        </div>
      )}
    </details>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2 *:w-full [&>button]:w-auto">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** A text of the document, in which code stands between backticks. */
function Prose({ text }: { text: string }) {
  return text.split('`').map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move
      <code key={index} translate="no" className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.9em]">
        {piece}
      </code>
    ),
  );
}
