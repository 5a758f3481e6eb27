import { type ChildProcess, fork } from 'node:child_process';
import type { Contender } from './contenders.js';
import type { Usage } from './serve.js';
import type { Work } from './works.js';

/** A contender that listens, in its own process. */
export interface Running {
  readonly contender: Contender;
  readonly url: string;
  readonly usage: () => Promise<Usage>;
  readonly stop: () => void;
}

export async function startContender(contender: Contender, databaseUrl: string): Promise<Running> {
  const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl };
  const child = fork(new URL('serve.js', import.meta.url), [JSON.stringify(contender)], { env });
  const port = await answerOf<number>(child);
  return {
    contender,
    url: `http://127.0.0.1:${port}`,
    usage: () => {
      const answer = answerOf<Usage>(child);
      child.send('usage');
      return answer;
    },
    stop: () => void child.disconnect(),
  };
}

function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null): void => {
      reject(new Error(`A contender ended with ${String(code)}.`));
    };
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer as Answer);
    });
  });
}

/** A request as `fetch` and autocannon take it. */
export interface WorkRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Those that take JSON:API and RPC. */
const APIS: readonly Contender['app'][] = ['ours', 'shared', 'ruled', 'as-init', 'own-code', 'zenstack'];

/** @param id of a post */
export function requestOf({ contender: { app }, url }: Running, { api, hand, method, body }: Work, id = 42): WorkRequest {
  const isApi = APIS.includes(app);
  const filled = (text: string): string => text.replaceAll('{id}', String(id));
  const type = isApi && api.startsWith('/rest') ? 'application/vnd.api+json' : 'application/json';
  return {
    url:
      url +
      filled(isApi ? api : hand)
        .replaceAll('[', '%5B')
        .replaceAll(']', '%5D'),
    method: method ?? 'GET',
    headers: body ? { 'content-type': type } : {},
    ...(body && { body: filled(JSON.stringify(isApi ? body.api : body.hand)) }),
  };
}
