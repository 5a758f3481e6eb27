import type { RulesOption } from '../../../lib/index.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, ENDPOINT } from '../../support/test-app.js';
import { describeNames, NAMES, NOTHING_CLOSED, RELATIONS } from './support/names-suite.js';

describeNames('relations and fields with the names of arguments', (suite) => {
  const { start } = suite;

  onPlatforms('under rules', (platform) => {
    const CLOSED: RulesOption = { 'Account': { 'read': true, '*': false }, '*': true };

    it.each(sample.oneIn(9, NAMES))('%s: a relation of that name writes no row that a rule forbids', async (name) => {
      const { rpc } = await start(platform, CLOSED);
      const before = await suite.database.dump();
      const role = { role: 'ADMIN' };
      const created = { name: 'new', role: 'ADMIN' };
      const writes = [
        { update: role },
        { update: { data: role } },
        { update: { where: { OR: [{ role: 'USER' }, { role: 'ADMIN' }] }, data: role } },
        { upsert: { create: created, update: role } },
        { create: created },
        { connectOrCreate: { where: { id: 99 }, create: created } },
        { delete: true },
      ];
      for (const write of writes) {
        const data = { [name]: write };
        const sent: readonly (readonly [operation: string, args: object])[] = [
          ['tool/update', { where: { id: 1 }, data }],
          ['tool/upsert', { where: { id: 1 }, create: { name: 'x' }, update: data }],
          ['sensor/update', { where: { id: 1 }, data: { tool: { update: data } } }],
          ['sensor/update', { where: { id: 1 }, data: { tool: { update: { data } } } }],
          [
            'account/update',
            {
              where: { id: 1 },
              data: { is: { update: name === 'is' ? { data: write } : data } },
            },
          ],
        ];
        for (const [operation, args] of sent) {
          const { status } = await rpc(operation, args);
          expect([operation, JSON.stringify(write), status]).toEqual([operation, JSON.stringify(write), 403]);
        }
      }
      expect(await suite.database.dump()).toBe(before);
    });

    it('sensor/update rejects a nested update of an owner that a rule forbids', async () => {
      const { rpc } = await start(platform, CLOSED);
      const before = await suite.database.dump();
      expect((await rpc('sensor/update', { where: { id: 1 }, data: { owner: { update: { role: 'ADMIN' } } } })).status).toBe(403);
      expect(await suite.database.dump()).toBe(before);
    });

    it.each(sample.oneIn(9, NAMES))('%s: a filter by a relation of that name matches no unreadable row', async (name) => {
      const hidden = RELATIONS[name];
      const { rpc, rest } = await start(platform, { 'Account': { 'read': { id: { not: hidden } }, '*': true }, '*': true });
      for (const filter of [
        { id: hidden },
        { is: { id: hidden } },
        { name: `account ${hidden}` },
        { is: { NOT: { name: 'x' } } },
        { name: { not: 'x' } },
      ]) {
        expect((await rpc('tool/count', { where: { id: 1, [name]: filter } })).data).toBe(0);
        // In the target itself, `is` is the operator.
        if (name !== 'is') expect((await rpc('sensor/count', { where: { id: 1, tool: { [name]: filter } } })).data).toBe(0);
        expect((await rpc('sensor/count', { where: { id: 1, tool: { is: { [name]: filter } } } })).data).toBe(0);
        const args = { where: { id: 1 }, data: { experiments: { set: [{ id: 1, sensors: { some: { tool: { [name]: filter } } } }] } } };
        // If the filter matches the experiment, it is linked. Else it is missing.
        const { data: found } = await rpc('experiment/count', { where: args.data.experiments.set[0] ?? {} });
        if (name !== 'is') expect(found).toBe(0);
        expect((await rpc('sensor/update', args)).status).toBe(found === 0 ? 404 : 200);
      }
      expect((await rest('GET', `/tool?filter[${name}][name]=account ${hidden}`)).ids).toEqual([]);
      expect((await rest('GET', `/tool/1/${name}`)).document.data).toBeNull();
      const read = await rpc('tool/findUnique', { where: { id: 1 }, select: { [name]: { select: { name: true } } } });
      expect(read.data).toEqual({ [name]: null });
      expect((await rpc('tool/findMany', { orderBy: { [name]: { name: 'asc' } } })).status).toBe(400);
    });

    it('a filter by a list called data matches no unreadable row', async () => {
      const { rpc } = await start(platform, { 'Measurement': { 'read': { value: { not: 10 } }, '*': true }, '*': true });
      for (const value of [10, 11]) {
        const args = { where: { id: 1 }, data: { experiments: { set: [{ id: 1, data: { some: { value } } }] } } };
        expect((await rpc('sensor/update', args)).status).toBe(404);
        expect((await rpc('sensor/update', { where: { id: 1, data: { some: { value } } }, data: { name: 'x' } })).status).toBe(404);
        expect((await rpc('experiment/count', { where: { data: { some: { value } } } })).data).toBe(0);
      }
      const args = { where: { id: 1 }, data: { experiments: { set: [{ id: 1, data: { some: { value: 20 } } }] } } };
      expect((await rpc('sensor/update', args)).status).toBe(200);
    });
  });

  it('can be filtered in REST', async () => {
    const { rest } = await start('express');
    expect((await rest('GET', '/sensor?filter[tool][isNot]=no')).ids).toEqual([1]);
    expect((await rest('GET', '/sensor?filter[tool][is][role]=USER')).ids).toEqual([1, 2]);
    expect((await rest('GET', '/sensor?filter[tool][is]=1')).ids).toEqual([1]);
    expect((await rest('GET', '/sensor?filter[tool][some][name]=account 9')).ids).toEqual([1]);
    expect((await rest('GET', '/sensor?filter[data][value]=10')).ids).toEqual([1]);
    expect((await rest('GET', '/account?filter[data][name]=one')).ids).toEqual([2]);
    expect((await rest('GET', '/account?filter[some$none][name]=one&sort=id')).ids).toHaveLength(11);
  });

  it('can be selected, ordered, counted and linked in both styles', async () => {
    for (const rules of [undefined, NOTHING_CLOSED]) {
      const { rest, rpc } = await start('fastify', rules);
      for (const name of NAMES) {
        const id = RELATIONS[name];
        const { document } = await rest('GET', `/tool/1?include=${name}`);
        expect([name, document.included.map((one: { readonly id: number }) => one.id)]).toEqual([name, [id]]);
        expect((await rest('GET', `/tool/1/relationships/${name}`)).document.data).toEqual({ type: 'account', id });
        const link = await rest('PATCH', `/tool/1/relationships/${name}`, { data: { type: 'account', id: 12 } });
        expect([name, link.status]).toEqual([name, 200]);
        if (name === 'is') continue;
        expect((await rest('GET', `/account/12/${name}`)).ids).toEqual([1]);
        const counted = await rpc('account/findUnique', { where: { id: 12 }, select: { _count: { select: { [name]: true } } } });
        expect(counted.data).toEqual({ _count: { [name]: 1 } });
      }
      await suite.database.reset();
    }
  });

  it('called AND, OR and NOT are rejected in filters, in which Prisma reads them as connectives', async () => {
    const { rest, rpc } = await start('express');
    expect(
      (await rpc('gate/findMany', { orderBy: { AND: 'desc' }, select: { AND: true, OR: true, NOT: { select: { id: true } } } })).data,
    ).toEqual([
      { AND: 'b', OR: 2, NOT: { id: 2 } },
      { AND: 'a', OR: 1, NOT: { id: 1 } },
    ]);
    expect((await rpc('gate/update', { where: { id: 1 }, data: { AND: 'c', NOT: { update: { role: 'X' } } } })).status).toBe(200);
    for (const where of [{ AND: 'a' }, { OR: 1 }, { NOT: { id: 1 } }, { NOT: null }, { AND: [{ id: 1 }] }]) {
      expect([where, (await rpc('gate/findMany', { where })).status]).toEqual([where, 400]);
    }
    for (const filter of ['filter[AND]=a', 'filter[OR]=1', 'filter[NOT][name]=x', 'filter[NOT]=1']) {
      expect([filter, (await rest('GET', `/gate?${filter}`)).status]).toEqual([filter, 400]);
    }
    expect((await rest('GET', '/gate?filter[id]=2')).ids).toEqual([2]);
    // Prisma has no other syntax for the condition.
    expect((await rest('GET', '/gate?filter[or][0][id]=1&filter[or][1][NOTId]=2')).status).toBe(400);
    const { document } = await rest('GET', '/gate?page[size]=1');
    expect((await rest('GET', String(document.links.next).replace(ENDPOINT, ''))).ids).toEqual([2]);
  });

  it.each([undefined, NOTHING_CLOSED])(
    'called AND and OR can be filtered with conditions that are connected by NOT, under the rules %j',
    async (rules) => {
      const { rest, rpc } = await start('express', rules);
      expect((await rest('GET', '/choice?filter[or][0][id]=1&filter[or][1][ownerId]=3')).ids).toEqual([1, 3]);
      expect((await rest('GET', '/choice?filter[ownerId$gt]=1&filter[owner][id$lt]=3')).ids).toEqual([2]);
      expect((await rest('GET', '/choice?filter[ownerId$ne]=2')).ids).toEqual([1, 3, 4]);
      expect((await rest('GET', '/account?filter[choices][id]=3')).ids).toEqual([3]);
      expect((await rest('GET', '/account/1?include=choices')).document.included).toHaveLength(1);
      const ids: unknown[] = [];
      for (let path = '/choice?page[size]=1&sort=ownerId'; path !== '';) {
        const page = await rest('GET', path);
        ids.push(...page.ids);
        path = String(page.document.links.next ?? '').replace(ENDPOINT, '');
      }
      expect(ids).toEqual([1, 2, 3, 4]);
      expect((await rpc('choice/count', { where: { NOT: [{ ownerId: 2 }, { id: { in: [1, 5] } }] } })).data).toBe(1);
      expect((await rpc('choice/updateMany', { where: { NOT: { ownerId: 1 }, id: { lt: 4 } }, data: { OR: 'z' } })).data).toEqual({
        count: 2,
      });
      expect((await rpc('choice/update', { where: { id: 1, owner: { name: 'x' } }, data: { AND: 5 } })).status).toBe(404);
      expect((await rpc('choice/update', { where: { id: 1, owner: { name: 'account 1' } }, data: { AND: 5 } })).status).toBe(200);
      expect((await rpc('choice/findMany', { where: { AND: 5 } })).status).toBe(400);
    },
  );
});
