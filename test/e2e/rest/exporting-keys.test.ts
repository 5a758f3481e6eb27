import { appsOnSchema } from '../../support/apps-on-schema.js';
import { onPlatforms } from '../../support/test-app.js';

/** Types of keys that cannot be in cursors, with the SQL of the value of row n. */
const KEYS = [
  ['Bytes', 'Bytes', `int4send(n)`],
  ['Instant', 'DateTime @db.Timestamptz(6)', `to_timestamp(n) + interval '1 microsecond'`],
  ['Clock', 'DateTime @db.Time(6)', `time '00:00' + n * interval '1 second'`],
  ['Single', 'Float @db.Real', 'n / 4.0'],
  ['Address', 'String @db.Inet', `('10.0.0.' || n)::inet`],
  ['Flags', 'String @db.VarBit', 'n::bit(10)::varbit'],
] as const;

const MODELS = `enum Stage {
  LATE
  EARLY
}
model Step {
  stage Stage
  n Int
  @@id([stage, n])
}
model Owner {
  id Int @id
${KEYS.map(([name]) => `  ${name.toLowerCase()}s Keyed${name}[]`).join('\n')}
}
${KEYS.map(
  ([name, type]) => `model Keyed${name} {
  id ${type.replace(/^(\w+)/, '$1 @id')}
  n Int
  ownerId Int
  owner Owner @relation(fields: [ownerId], references: [id])
}`,
).join('\n')}`;

/** More than the first two batches of an export. */
const ROWS = 130;

const SQL = `INSERT INTO "Step" SELECT (CASE n % 2 WHEN 0 THEN 'LATE' ELSE 'EARLY' END)::"Stage", n FROM generate_series(1, ${ROWS}) n;
  INSERT INTO "Owner" VALUES (1);
  ${KEYS.map(([name, , value]) => `INSERT INTO "Keyed${name}" SELECT ${value}, n, 1 FROM generate_series(1, ${ROWS}) n;`).join('\n')}`;

onPlatforms('exports of models whose keys cannot be in cursors', (platform) => {
  const apps = appsOnSchema(platform, { name: 'exporting_keys', models: MODELS, sql: SQL }, [{ rest: { export: true } }]);

  const numbersOf = (lines: readonly string[]): readonly number[] =>
    lines.map((line) => (JSON.parse(line) as { readonly attributes: { readonly n: number } }).attributes.n);
  const ascending = (numbers: readonly number[]): readonly number[] => [...numbers].sort((one, other) => one - other);
  const ALL = Array.from({ length: ROWS }, (_, index) => index + 1);

  const collections = ['/step', ...KEYS.flatMap(([name]) => [`/keyed${name}`, `/owner/1/${name.toLowerCase()}s`])];

  it.each(collections.map((path) => [path]))('%s: contain each row once', async (path) => {
    for (const { agent } of apps) {
      const ndjson = await agent.get(`/api/rest${path}`).set('Accept', 'application/x-ndjson').buffer();
      expect(ndjson.status).toBe(200);
      const lines = ndjson.text.trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ meta: { complete: true, count: ROWS } });
      expect(ascending(numbersOf(lines.slice(0, -1)))).toEqual(ALL);
      const csv = await agent.get(`/api/rest${path}?sort=-n`).set('Accept', 'text/csv');
      expect([csv.status, csv.text.trimEnd().split('\r\n').length]).toEqual([200, ROWS + 1]);
    }
  });

  it('reject page[after], because their lines have no cursors', async () => {
    for (const { agent } of apps) {
      const { status, body } = await agent.get('/api/rest/step?page[after]=x').set('Accept', 'application/x-ndjson').buffer();
      expect([status, body.errors[0].code]).toEqual([400, 'invalid-sort']);
    }
  });
});
