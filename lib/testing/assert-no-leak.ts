import { type INestApplication } from '@nestjs/common';
import { type HiddenField, type Subject, subjectOf } from './hidden-field.js';
import { type Answer, judgeAnswer } from './judge-answer.js';
import { type Leak, LeakError } from './leak.js';
import { mountedApis, type MountedApi } from './mounted-apis.js';
import { type Probe } from './probe.js';
import { restProbes } from './rest-probes.js';
import { rpcProbes } from './rpc-probes.js';
import { openServer, sendProbe } from './send-probe.js';

/**
 * Proves over HTTP that nobody can read or probe a field: every filter with every operator, sort, include, fieldset, select, omit, cursor,
 * distinct, aggregate, having, unique key and nested condition, of both styles and in batches, from the model itself and from every model that
 * leads to it; and that ordinary answers and error texts do not show it. Generated from the Prisma schema, so that a field and a relation that
 * is added tomorrow is probed too.
 *
 * The application may listen already or not. Nothing is written: whatever could write is asked of records that do not exist.
 *
 * @throws LeakError with every surface that accepts or reveals the field
 * @throws Error where the caller of the probes is refused altogether, which would prove nothing
 *
 * @example
 * it('hides the password hash', () => assertNoLeak(app, { model: 'User', field: 'passwordHash', values: ['$2b$10$abc'] }));
 */
export async function assertNoLeak(app: INestApplication, hidden: HiddenField): Promise<void> {
  const server = await openServer(app);
  try {
    const apis = mountedApis(app);
    const found = await Promise.all(apis.map((api) => probeApi(api, hidden, server.origin)));
    const leaks = found.flat();
    if (leaks.length > 0) throw new LeakError(`${hidden.model}.${hidden.field}`, leaks);
  } finally {
    await server.close();
  }
}

async function probeApi({ model, options, divider, paths }: MountedApi, hidden: HiddenField, origin: string): Promise<readonly Leak[]> {
  const { headers = {}, values = [] } = hidden;
  const subject = subjectOf(hidden, { schema: options.schema, model, resources: options.resources ?? {} });
  const probes = [...restProbes(subject, divider), ...rpcProbes(subject)];
  const found = await inTurns(probes, async (probe): Promise<readonly Leak[]> => {
    const path = paths.get(probe.style);
    if (path === undefined) return [];
    const answer = await sendProbe(origin + path, probe, headers);
    requireWelcome(probe, answer, subject);
    const finding = judgeAnswer(probe, answer, { ...subject, values });
    return finding === undefined ? [] : [{ surface: `${STYLES[probe.style]} ${probe.surface}`, finding }];
  });
  return found.flat();
}

const STYLES = { rest: 'REST', rpc: 'RPC' } as const;

/** A guard that refuses the caller would make every probe pass. */
function requireWelcome({ surface, control }: Probe, { status }: Answer, { owner }: Subject): void {
  const isOpen = owner.resource?.actions.has('read') === true;
  if (control !== true || !isOpen || !UNWELCOME.has(status)) return;
  throw new Error(`The probe '${surface}' was answered ${status}: give 'headers' of a caller who may read ${owner.name}.`);
}

const UNWELCOME: ReadonlySet<number> = new Set([401, 403, 429]);

/** Requests at a time. */
const LANES = 8;

async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}
