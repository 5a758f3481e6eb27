import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { type ActionOf, ResourceAction, ResourceActions } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTelemetry, type TestTelemetry } from '../../support/telemetry.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

@ResourceActions('Tag')
class TagActions {
  @ResourceAction({ on: 'record', right: 'update' })
  async shout({ record, client }: ActionOf<PrismaClient, 'Tag'>): Promise<unknown> {
    await client.tag.count();
    return client.tag.update({ where: { id: record.id }, data: { name: record.name.toUpperCase() } });
  }

  @ResourceAction({ on: 'collection', right: 'create' })
  repeat({ client }: ActionOf<PrismaClient, 'Tag'>): unknown {
    return client.tag.createMany({ data: [{ name: 'same' }, { name: 'same' }] });
  }
}

@Module({ providers: [TagActions] })
class TagModule {}

onPlatforms('the spans of actions', (platform) => {
  let telemetry: TestTelemetry;
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    telemetry = startTelemetry();
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, imports: [TagModule], options: { rules: { '*': { '*': true } } } });
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
    await telemetry.close();
  });

  it('have the spans of their client’s calls as children, with the rows of each', async () => {
    await telemetry.reset();
    expect(await app.rest.post('/tag/1/shout', undefined)).toMatchObject({ status: 200 });
    const spans = telemetry.spans();
    expect(spans.map(({ name, attributes }) => [name, attributes['resource_api.style'], attributes['resource_api.rows']])).toEqual([
      ['resource.read Tag', 'own-code', 0],
      ['resource.update Tag', 'own-code', 1],
      ['resource.shout Tag', 'rest', undefined],
    ]);
    const ids = spans.map(({ parentSpanContext }) => parentSpanContext?.spanId);
    expect(ids.slice(0, 2)).toEqual(Array(2).fill(spans[2]?.spanContext().spanId));
  });

  it('have the error of their method', async () => {
    await telemetry.reset();
    await app.rpc.call('tag/repeat', undefined, { method: 'POST' });
    expect(telemetry.spans().map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['resource.create Tag', 'unique-conflict'],
      ['resource.repeat Tag', 'unique-conflict'],
    ]);
  });
});
