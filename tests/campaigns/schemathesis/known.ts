/** What a valid request needs that nobody can guess: for each operation an account of its own, with rows of its own. */

import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import pLimit from 'p-limit';
import {
  type BatchView,
  type GenerationSet,
  type GenerationView,
  hasEnded,
  type LookView,
  type Me,
  operatorPaths,
  type ProjectView,
  paths,
  type SessionList,
} from '#contract';
import { batchPaths } from '#contract/batch-paths.ts';
import { pay } from '#scripts/start/seller.ts';
import { localStripeKey } from '#scripts/stripe/local-key.ts';
import { hashPassword } from '#server/accounts/passwords/passwords.ts';
import { openBilling } from '#shared/billing/client.ts';
import { openAccount, openOperator } from '#tests/campaigns/support/accounts.ts';
import type { CampaignStack } from '#tests/campaigns/support/stack.ts';
import { requestAs, requestGeneration } from '#tests/support/api-client.ts';
import { samplePhotoFile, samplePrompt } from '#tests/support/sample-photo.ts';

/** The values of an operation's fields that replace those of valid requests. */
export interface Known {
  authorization: string;
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

/** The parts of the API's document that are read here. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
}
interface Operation {
  operationId: string;
  tags: string[];
}

const password = 'Walnut-Table-1';
/** MAIL_WEBHOOK_SECRET. */
export const mailSecret = 'of-the-mail-provider-0123456789abcdef';

/** Operations of which a seller may send so few in a minute that several accounts share them. */
const limited: ReadonlySet<string> = new Set([
  'createBatch',
  'requestEmailChange',
  'requestDataExport',
  'addAuthenticatorApp',
  'getSubscription',
]);

/**
 * Makes the accounts and the rows of all operations.
 * @param only the id of the operation, if it is one
 * @returns them by the id of the operation
 */
export async function makeKnown(
  stack: CampaignStack,
  document: ApiDocument,
  only?: string,
): Promise<Record<string, Known[]>> {
  const billing = openBilling({ secretKey: localStripeKey, apiUrl: stack.config.billing.apiUrl! });
  const passwordHash = await hashPassword(password, 'this program');
  const photo = await openAsBlob(samplePhotoFile);
  const sha256 = createHash('sha256')
    .update(await readFile(samplePhotoFile))
    .digest('hex');
  const operator = await openOperator(stack);

  /** A seller with a plan that is paid, an image and one of each other row. */
  async function makeSeller() {
    const { id, token } = await openAccount(stack, 'enterprise', passwordHash);
    await pay({ db: stack.db, billing }, id, 'enterprise');
    const send = async <Reply>(method: 'GET' | 'POST', path: string, body?: object): Promise<Reply> => {
      const reply = await requestAs(stack.url, token, method, path, body);
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return (await reply.json()) as Reply;
    };
    const submitted = await requestGeneration(stack.url, token, {
      prompt: samplePrompt,
      photo,
      fileName: basename(samplePhotoFile),
    });
    const { generations } = (await submitted.json()) as GenerationSet;
    const generation = await untilEnded(() => send('GET', paths.generation(generations[0]!.id)));
    const project = await send<ProjectView>('POST', paths.projects, { name: 'Mugs' });
    const look = await send<LookView>('POST', paths.looks, {
      name: 'Oak',
      scene: 'On oak',
      pictureOf: generation.id,
    });
    const row = { prompt: 'On oak', photos: [{ name: 'mug.png', sha256 }] };
    const batch = await send<BatchView>('POST', batchPaths.batches, {
      key: 'mugs',
      name: 'Mugs',
      rows: [row],
    });
    const { sessions } = await send<SessionList>('GET', paths.sessions);
    await send('POST', paths.projectImages(project.id), { ids: [generation.id] });
    const { user } = await send<Me>('GET', paths.me);
    return { id, email: user.email, token, generation, project, look, batch, session: sessions[0]! };
  }

  /** @param path of the operation, such as `/api/looks/{id}` */
  async function ofOperation(path: string, { operationId, tags }: Operation): Promise<Known> {
    const { id, email, token, generation, project, look, batch, session } = await makeSeller();
    const area = path.replace('/operator', '').split('/')[2]!;
    const ids: Record<string, string> = {
      generations: generation.id,
      projects: project.id,
      looks: look.id,
      batches: batch.id,
      sessions: session.id,
      sellers: id,
    };
    if (operationId === 'downloadPhoto') {
      await requestAs(stack.url, operator.token, 'POST', operatorPaths.photos(generation.id), {
        reason: 'To see',
      });
    }
    const isOfMails = operationId === 'receiveMailReports';
    return {
      authorization: `Bearer ${isOfMails ? mailSecret : tags.includes('operator') ? operator.token : token}`,
      path: {
        ...(ids[area] && { id: ids[area] }),
        name: new URL(generation.image!.url, stack.url).pathname.split('/').at(-1)!,
        sha256,
      },
      query: {
        set: generation.set.id,
        root: generation.rootId,
        project: project.id,
        ...(path.startsWith(paths.exports) && { images: generation.id }),
      },
      body: {
        ...(operationId === 'signIn' && { email }),
        ...(operationId !== 'signUp' && { password }),
        projectId: project.id,
        coverId: generation.id,
        pictureOf: generation.id,
        before: generation.id,
        ids: [generation.id],
        revision: generation.revision,
        until: '2999-01-01T00:00:00Z',
      },
    };
  }

  const few = pLimit(6);
  const isWanted = ({ operationId }: Operation) => only === undefined || operationId === only;
  const known = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods)
      .filter(isWanted)
      .map(async (operation) => {
        const accounts = Array.from({ length: limited.has(operation.operationId) ? 8 : 1 }, () =>
          few(() => ofOperation(path, operation)),
        );
        return [operation.operationId, await Promise.all(accounts)] as const;
      }),
  );
  return Object.fromEntries(await Promise.all(known));
}

async function untilEnded(read: () => Promise<GenerationView>): Promise<GenerationView> {
  for (;;) {
    const generation = await read();
    if (hasEnded(generation.state)) return generation;
  }
}
