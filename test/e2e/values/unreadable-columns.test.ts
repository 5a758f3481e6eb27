import { Logger } from '@nestjs/common';
import { readDatamodel } from '../../../lib/generator/read-datamodel.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { LogLines } from '../../support/log-lines.js';
import { describeModels } from '../../support/inline-client.js';
import { openSchema } from '../../support/open-schema.js';
import { onPlatforms, startTestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';

describe('column types that Prisma misreads', () => {
  const warningsOf = (type: string, provider: 'postgresql' | 'cockroachdb' = 'postgresql'): readonly string[] => {
    const { dmmf, text } = describeModels(`model Note {\n  id Int @id\n  field ${type}\n}`);
    return buildResourceModel(readDatamodel(dmmf, provider, text)).warnings.filter((line) => line.includes('Note.field'));
  };

  it.each([
    ['String[] @db.Citext', /cannot read a list of @db\.Citext.*text\[\]/],
    ['DateTime[] @db.Timetz(3)', /cannot read a list of @db\.Timetz/],
    ['DateTime? @db.Timetz(3)', /offset/],
    ['DateTime @db.Timetz', /offset/],
  ])('%s is a warning at start', (type, warning) => {
    expect(warningsOf(type)).toEqual([expect.stringMatching(warning)]);
    expect(warningsOf(type, 'cockroachdb')).toEqual([]);
    expect(buildHidden(type)).toEqual([]);
  });

  it.each(['String @db.Citext', 'String[]', 'DateTime[]', 'DateTime @db.Time(3)', 'DateTime @db.Timestamptz(3)'])(
    '%s is no warning',
    (type) => {
      expect(warningsOf(type)).toEqual([]);
    },
  );

  function buildHidden(type: string): readonly string[] {
    const { dmmf, text } = describeModels(`model Note {\n  id Int @id\n  field ${type.replace(/^(\w+) /, '$1? ')}\n}`);
    const { warnings } = buildResourceModel(readDatamodel(dmmf, 'postgresql', text), {
      resources: { Note: { fields: { field: 'hidden' } } },
    });
    return warnings.filter((line) => line.includes('Prisma'));
  }
});

onDatabases('postgresql-server').describe('a list of timetz', () => {
  onPlatforms('that Prisma reads', (platform) => {
    it('is a 500, which is logged with the solution, and not a 400', async () => {
      const { schema, prisma, close } = await openSchema({
        name: 'timetz_list',
        models: 'model Note {\n  id Int @id\n  times DateTime[] @db.Timetz(3)\n}',
        sql: `INSERT INTO "Note" VALUES (1, ARRAY['12:00:00-05'::timetz]);`,
      });
      const logger = new LogLines();
      const app = await startTestApp({ platform, logger, options: { schema, getClient: () => prisma } });
      expect(logger.warnings.filter((line) => line.includes('Note.times'))).toHaveLength(1);
      for (const path of ['/api/rest/note', '/api/rest/note/1', '/api/rpc/note/findMany']) {
        expect([path, (await app.agent.get(path)).status]).toEqual([path, 500]);
        expect(logger.errors.at(-1)).toContain('Hide the field in resources');
      }
      expect((await app.agent.get('/api/rpc/note/findMany?q=%7B%22select%22%3A%7B%22id%22%3Atrue%7D%7D')).status).toBe(200);
      await app.close();
      await close();
      Logger.overrideLogger(false);
    });
  });
});
