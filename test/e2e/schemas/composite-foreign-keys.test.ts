import { expect, it } from '@jest/globals';
import type { PlatformRequest, ResourcesOption } from '../../../lib/index.js';
import { describeKeys, type Engine, ENGINES, type KeysSuite } from '../../support/keys-apps.js';
import { PROFILE } from '../../support/profile.mjs';

/** Parts of the composite foreign key of `unit`. A part that is absent is not written. */
interface Parts {
  readonly tenantId?: number | null;
  readonly unitNumber?: number | null;
}

/** Embedded PostgreSQL has no pool, so that SQL writes run on a server alone. */
const CHOSEN: readonly Engine[] = PROFILE === 'quick' ? ['Prisma', 'Prisma under rules'] : ENGINES;

const PARTS: readonly Parts[] = [
  { tenantId: 2, unitNumber: 1 },
  { tenantId: 2, unitNumber: null },
  { tenantId: null, unitNumber: 1 },
  { tenantId: null, unitNumber: null },
  { tenantId: 2 },
  { tenantId: null },
  { unitNumber: 2 },
  { unitNumber: null },
];

/** Another link of the record: as REST and as RPC write it, and the columns that it sets. */
interface OtherLink {
  readonly attributes?: object;
  readonly relationships?: object;
  readonly data?: object;
  readonly columns: object;
  /** Whether a Job has the link. */
  readonly isOfJob: boolean;
}

const shelf = { relationships: { shelf: { data: { type: 'shelf', id: '2' } } }, columns: { shelfCode: 'S2' }, isOfJob: true };
const place = { relationships: { place: { data: { type: 'shelf', id: '2' } } }, columns: { placeId: 2 }, isOfJob: false };

const LINKS: Readonly<Record<string, OtherLink>> = {
  'no other link': { columns: {}, isOfJob: true },
  'a connect by the referenced key': { ...shelf, data: { shelf: { connect: { code: 'S2' } } } },
  'a connect by another key': { ...shelf, data: { shelf: { connect: { id: 2 } } } },
  'a connect by the id': { ...place, data: { place: { connect: { id: 2 } } } },
  'two connects': {
    relationships: { ...shelf.relationships, ...place.relationships },
    data: { shelf: { connect: { code: 'S2' } }, place: { connect: { id: 2 } } },
    columns: { shelfCode: 'S2', placeId: 2 },
    isOfJob: false,
  },
  'a scalar': { attributes: { shelfCode: 'S2' }, data: { shelfCode: 'S2' }, columns: { shelfCode: 'S2' }, isOfJob: true },
};

const partOf =
  (name: keyof Parts) =>
  ({ headers }: PlatformRequest): unknown =>
    (JSON.parse(String(headers['x-parts'])) as Parts)[name];
const setByServer = (name: keyof Parts) => ({ value: { create: partOf(name), update: partOf(name) } });

/** Which parts of the key the server sets. The client writes the others. */
const SOURCES: Readonly<Record<string, readonly (keyof Parts)[]>> = {
  'the client': [],
  'the server': ['tenantId', 'unitNumber'],
  'the server and the client': ['tenantId'],
};

const BASE = {
  work: { id: 1, title: 'w1', tenantId: 1, unitNumber: 1, shelfCode: 'S1', placeId: 1 },
  job: { id: 1, title: 'j1', tenantId: 1, unitNumber: 1, shelfCode: 'S1' },
} as const;
const NEW = {
  work: { id: 101, title: null, tenantId: null, unitNumber: null, shelfCode: null, placeId: null },
  job: { id: 101, title: null, tenantId: null, unitNumber: null, shelfCode: null },
} as const;

type ModelName = keyof typeof BASE;

interface Case {
  readonly model: ModelName;
  readonly action: 'create' | 'update';
  readonly parts: Parts;
  readonly link: OtherLink;
  readonly set: readonly (keyof Parts)[];
}

function splitParts({ parts, set }: Case): { readonly own: Parts; readonly headers: Readonly<Record<string, string>> } {
  const own = Object.entries(parts).filter(([name]) => !set.some((one) => one === name));
  return { own: Object.fromEntries(own), headers: { 'x-parts': JSON.stringify(parts) } };
}

async function writeByRest(suite: KeysSuite, engine: Engine, one: Case): Promise<readonly [status: number, errors: string]> {
  const { own, headers } = splitParts(one);
  const { attributes, relationships } = one.link;
  const id = one.action === 'update' ? { id: '1' } : {};
  const data = { type: one.model, ...id, attributes: { title: 'new', ...own, ...attributes }, ...(relationships && { relationships }) };
  const { rest } = suite.appOf(engine);
  const response =
    one.action === 'create' ? await rest.post(`/${one.model}`, { data }, headers) : await rest.patch(`/${one.model}/1`, { data }, headers);
  return [response.status, response.text];
}

async function writeByRpc(suite: KeysSuite, engine: Engine, one: Case): Promise<readonly [status: number, errors: string]> {
  const { own, headers } = splitParts(one);
  const data = { title: 'new', ...own, ...one.link.data };
  const args = one.action === 'create' ? { data } : { where: { id: 1 }, data };
  const response = await suite.appOf(engine).rpc.call(`${one.model}/${one.action}`, args, { headers });
  return [response.status, response.text];
}

async function storedRows({ database }: KeysSuite, model: ModelName): Promise<readonly object[]> {
  const order = { orderBy: { id: 'asc' } } as const;
  return model === 'work' ? database.prisma.work.findMany(order) : database.prisma.job.findMany(order);
}

/** Returns the rows after a write: only the values of the request have changed. */
function expectedRows({ model, action, parts, link }: Case): readonly object[] {
  const values = { title: 'new', ...parts, ...link.columns };
  return action === 'create' ? [BASE[model], { ...NEW[model], ...values }] : [{ ...BASE[model], ...values }];
}

/** Whether the value of the server would be null for a required column, which is a fault of the application. */
const isFault = ({ model, parts, set }: Case): boolean => model === 'job' && set.includes('tenantId') && parts.tenantId === null;

const isSent = ({ parts, set }: Case): boolean => set.every((name) => parts[name] !== undefined);

/**
 * Whether a write is accepted. A client of RPC sends foreign keys or relations, a key cannot be written if the server sets a part of it, and a Job needs its
 * tenant.
 */
function isAccepted({ model, action, parts, link, set }: Case, style: string): boolean {
  const own = Object.keys(parts).filter((name) => !set.some((one) => one === name));
  if (own.length > 0 && (set.length > 0 || (style === 'RPC' && link.relationships))) return false;
  const { tenantId = action === 'create' ? null : 1 } = parts;
  return model === 'work' || tenantId !== null;
}

const REQUESTS = (['work', 'job'] as const).flatMap((model) =>
  Object.entries(LINKS)
    .filter(([, { isOfJob }]) => isOfJob || model === 'work')
    .flatMap(([linkName, link]) =>
      (['create', 'update'] as const).flatMap((action) =>
        (['REST', 'RPC'] as const).map((style) => ({ model, linkName, link, action, style })),
      ),
    ),
);

for (const [source, set] of Object.entries(SOURCES)) {
  const fields = Object.fromEntries(set.map((name) => [name, setByServer(name)]));
  const resources: ResourcesOption = { Work: { fields }, Job: { fields } };
  describeKeys(`parts of a composite foreign key that ${source} sets`, { resources }, (suite) => {
    it.each(REQUESTS)(
      'are stored or rejected: $style $action of a $model beside $linkName',
      async ({ style, ...request }) => {
        const send = style === 'REST' ? writeByRest : writeByRpc;
        const cases = PARTS.map((parts): Case => ({ ...request, parts, set })).filter((one) => isSent(one) && !isFault(one));
        for (const one of cases) {
          for (const engine of CHOSEN) {
            await suite.database.reset();
            const [status, text] = await send(suite, engine, one);
            const isDone = status < 300;
            const rows = await storedRows(suite, one.model);
            const place = { engine, parts: one.parts };
            expect({ ...place, status, rows }).toEqual({
              ...place,
              status: isDone ? status : 400,
              rows: isDone ? expectedRows(one) : [BASE[one.model]],
            });
            if (!isDone) expect(text).toMatch(/'unit'|tenantId|unitNumber/);
            expect([engine, isDone]).toEqual([engine, isAccepted(one, style)]);
          }
        }
      },
      60_000,
    );
  });
}

describeKeys(
  'a column of a composite foreign key, beside a link by another key',
  { resources: { Unit: { externalId: 'name' } } },
  (suite) => {
    const shift = (attributes: object, unit: string | null): object => ({
      type: 'shift',
      attributes,
      relationships: { unit: { data: unit === null ? null : { type: 'unit', id: unit } } },
    });

    it.each(CHOSEN)('is stored if it equals that of the linked record, by %s', async (engine) => {
      const { rest } = suite.appOf(engine);
      expect((await rest.post('/shift', { data: shift({ tenantId: 2, spareNumber: null }, 'u21') })).status).toBe(201);
      expect((await rest.patch('/shift/1', { data: { ...shift({ tenantId: 1 }, 'u12'), id: '1' } })).status).toBe(200);
      expect(await suite.database.prisma.shift.findMany({ orderBy: { id: 'asc' } })).toEqual([
        { id: 1, tenantId: 1, unitNumber: 2, spareNumber: 2 },
        { id: 101, tenantId: 2, unitNumber: 1, spareNumber: null },
      ]);
    });

    it.each(CHOSEN)('is rejected if it differs from that of the linked record, by %s', async (engine) => {
      const { rest } = suite.appOf(engine);
      const refused = [
        await rest.post('/shift', { data: shift({ tenantId: 2 }, 'u11') }),
        await rest.patch('/shift/1', { data: { ...shift({ tenantId: 2 }, 'u11'), id: '1' } }),
      ];
      for (const { status, errors } of refused) {
        expect([status, errors[0]?.code]).toEqual([400, 'invalid-relation-data']);
        expect(errors[0]?.detail).toContain("'tenantId'");
      }
      expect(await suite.database.prisma.shift.findMany()).toEqual([{ id: 1, tenantId: 1, unitNumber: 1, spareNumber: 2 }]);
    });

    it.each(CHOSEN)('is not changed if a link is removed, by %s', async (engine) => {
      const { rest } = suite.appOf(engine);
      expect((await rest.patch('/shift/1', { data: { ...shift({ tenantId: 1 }, null), id: '1' } })).status).toBe(200);
      expect(await suite.database.prisma.shift.findMany()).toEqual([{ id: 1, tenantId: 1, unitNumber: null, spareNumber: 2 }]);
    });
  },
);
