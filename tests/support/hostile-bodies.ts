/** Bodies that take long to read, for a server without limits. */

import { createHmac } from 'node:crypto';
import { limits, paths, v1McpPath } from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { messageBytes } from '#server/v1/assistant-routes.ts';
import { hostileCvs } from './hostile-cvs.ts';
import { hostilePhotos, hostilePngs } from './hostile-photos.ts';
import { filled, type HostileCase, jsonRequest, manyFields, nested } from './hostile-requests.ts';
import { multipart, type Part } from './multipart.ts';
import { flatImage } from './photos.ts';
import type { RawRequest } from './raw-http.ts';
import { newAddress } from './visitor.ts';

const megabyte = 1024 * 1024;

/** Cases with a large body. @param imageId the id of a finished image @param key signs Stripe's events */
export async function hostileBodies(
  authorization: string,
  imageId: string,
  key: string,
): Promise<HostileCase[]> {
  const form = (path: string, parts: Part[]): RawRequest => {
    const { headers, body } = multipart(parts);
    return { path, method: 'POST', headers: { ...headers, authorization }, body };
  };
  const batch = (body: string) => jsonRequest(batchPaths.batches, body, { authorization });
  const rows = (value: string) =>
    batch(`{"key":"a","name":"a","rows":[${filled(`${value},`, limits.batchBytes - 1_000)}${value}]}`);
  const change = (body: string) => jsonRequest(paths.changes(imageId), body, { authorization });
  const mask = (png: Buffer) => change(JSON.stringify({ instruction: 'Blue', mask: png.toString('base64') }));
  const maskBytes = Math.floor((limits.maskCharacters * 3) / 4) - 200;
  const cvPart = (value: Buffer): Part => ({ name: 'cv', fileName: 'cv', value });
  const application = (cv: Buffer, more: Part[] = []) =>
    form(paths.applications, [
      { name: 'position', value: 'product-engineer' },
      { name: 'name', value: 'Ada' },
      { name: 'email', value: newAddress() },
      ...more,
      cvPart(cv),
    ]);
  const photo = (value: Buffer) =>
    form(paths.generations, [
      { name: 'prompt', value: 'A table' },
      { name: 'images', fileName: 'photo', value },
    ]);
  const event = (body: string, signature: string) =>
    jsonRequest(paths.stripeWebhook, body, { 'stripe-signature': signature });
  const at = Math.floor(Date.now() / 1_000);
  const largeEvent = JSON.stringify({ id: `evt_${'x'.repeat(limits.stripeEventBytes - 1_000)}` });
  const signature = createHmac('sha256', key).update(`${at}.${largeEvent}`).digest('hex');
  return [
    {
      reader: 'JSON of a batch',
      harmless: batch(JSON.stringify({ key: 'x'.repeat(limits.batchBytes - 1_000), name: 'A', rows: [] })),
      hostile: [
        ['arrays in arrays', batch(nested(limits.batchBytes - 1_000))],
        ['empty rows', rows('{}')],
        ['rows of numbers', rows('0')],
        ['fields that are not known', batch(manyFields(400_000))],
        ['escapes', batch(JSON.stringify({ key: '\u0001'.repeat(megabyte), name: 'A', rows: [] }))],
      ],
    },
    {
      reader: 'masks',
      harmless: mask(Buffer.alloc(maskBytes)),
      hostile: [
        ...hostilePngs(maskBytes).map(([what, png]): [string, RawRequest] => [what, mask(png)]),
        ['arrays in arrays', change(nested(limits.maskCharacters))],
      ],
    },
    {
      reader: 'forms',
      harmless: application(Buffer.alloc(megabyte, 'x')),
      hostile: [
        ['almost boundaries', application(Buffer.from(filled('\r\n--packshot-test-boundar', megabyte)))],
        ['line breaks', application(Buffer.from(filled('\r\n', megabyte)))],
        ['line breaks and hyphens', application(Buffer.from(filled('\r\n--', megabyte)))],
        [
          'many fields',
          application(
            Buffer.alloc(9),
            Array.from({ length: 5_000 }, (_, at) => ({ name: `f${at}`, value: '' })),
          ),
        ],
        [
          'a field of brackets',
          application(Buffer.alloc(9), [
            { name: 'message', value: nested(30_000), type: 'application/json' },
          ]),
        ],
        [
          'a file name of escapes',
          form(paths.applications, [
            {
              ...cvPart(Buffer.alloc(9)),
              headers: `Content-Disposition: form-data; name="cv"; filename*=utf-8''${filled('%e2%82', 15_000)}`,
            },
          ]),
        ],
        [
          'a header of quotes',
          form(paths.applications, [
            {
              ...cvPart(Buffer.alloc(9)),
              headers: `Content-Disposition: form-data; ${filled('name="\\"', 15_000)}`,
            },
          ]),
        ],
        [
          'hyphens between hyphens',
          {
            path: paths.applications,
            method: 'POST',
            headers: { 'content-type': `multipart/form-data; boundary=${'-'.repeat(70)}` },
            body: '-'.repeat(megabyte),
          },
        ],
      ],
    },
    {
      reader: 'CVs',
      harmless: application(Buffer.alloc(limits.cvBytes, 'x')),
      hostile: hostileCvs().map(({ what, file }) => [what, application(file)]),
    },
    {
      reader: 'photos',
      harmless: photo(await flatImage(1_500, 1_500).jpeg().toBuffer()),
      hostile: hostilePhotos().map(([what, file]) => [what, photo(file)]),
    },
    {
      reader: "Stripe's events",
      harmless: event(largeEvent, `t=${at},v1=${signature}`),
      hostile: [
        ['signatures', event('{}', `t=${at},${filled('v1=a,', 15_000)}`)],
        ['times', event('{}', filled('t=1,', 15_000))],
        ['arrays in arrays, not signed', event(nested(limits.stripeEventBytes - 1_000), `t=${at},v1=a`)],
      ],
    },
  ];
}

/** Messages of assistants. @param apiKey one that may do everything */
export function hostileMessages(apiKey: string): HostileCase {
  const send = (body: string) =>
    jsonRequest(v1McpPath, body, {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json, text/event-stream',
    });
  const message = (method: string, params: string) =>
    send(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
  const call = (tool: string, given: string) =>
    message('tools/call', `{"name":"${tool}","arguments":${given}}`);
  const most = messageBytes - 1_000;
  return {
    reader: 'messages of assistants',
    harmless: call('get_image', JSON.stringify({ id: 'x'.repeat(most) })),
    hostile: [
      ['arrays in arrays', send(nested(most))],
      ['arguments in arguments', call('get_image', nested(most))],
      ['fields that are not known', call('get_image', manyFields(4_000))],
      ['addresses of photos', call('make_images', JSON.stringify({ photos: Array(10_000).fill('a') }))],
      ['a method that is not there', message('x'.repeat(most), '{}')],
      ['a tool that is not there', call('x'.repeat(most), '{}')],
    ],
  };
}
