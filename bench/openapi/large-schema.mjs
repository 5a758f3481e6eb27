/*
 * Writes the Prisma schema of a large application, in the style of an ERP: each model has 10 to 20 fields of all scalar types and enums,
 * and its relations lead to models all over the schema, 3 to 6 of most. The same number of models gives the same schema.
 */
const AREAS = ['Sales', 'Stock', 'Ledger', 'Payroll', 'Project', 'Purchase', 'Asset', 'Quality', 'Service', 'Fleet'];
const THINGS = [
  'Order',
  'Line',
  'Account',
  'Partner',
  'Contract',
  'Invoice',
  'Payment',
  'Address',
  'Item',
  'Rule',
  'Event',
  'Batch',
  'Plan',
  'Report',
  'Tax',
];
const PARTS = ['', 'Group', 'Note', 'Log'];
const ENUMS = ['State', 'Priority', 'Kind', 'Currency', 'Unit', 'Source', 'Visibility', 'Period'];
const FIELDS = [
  'name String @db.VarChar(120)',
  'code String @unique',
  'description String?',
  'state State @default(Draft)',
  'amount Decimal @db.Decimal(14, 2)',
  'quantity Int @default(0)',
  'rate Float?',
  'isActive Boolean @default(true)',
  'startsAt DateTime?',
  'settings Json?',
  'currency Currency?',
  'tags String[]',
  'externalId BigInt?',
  'day DateTime? @db.Date',
  'picture Bytes?',
  'priority Priority @default(Draft)',
  'reference String?',
  'unit Unit?',
];

/** @param models number of models, up to 600 */
export function largeSchema(models) {
  const names = namesOf(models);
  const links = names.flatMap((name, index) => linksOf(name, index, names));
  const enums = ENUMS.map((name) => block('enum', name, ['Draft', 'Open', 'Approved', 'Done', 'Cancelled']));
  return [HEAD, ...enums, ...names.map((name, index) => block('model', name, fieldsOf(name, index, links)))].join('\n\n');
}

const HEAD = `generator client {
  provider            = "prisma-client"
  output              = "./prisma"
  moduleFormat        = "esm"
  importFileExtension = "js"
}

generator resourceApi {
  provider = "node dist/generator/bin.js"
  output   = "./resource-schema.ts"
}

datasource db {
  provider = "postgresql"
}`;

function namesOf(count) {
  const all = PARTS.flatMap((part) => AREAS.flatMap((area) => THINGS.map((thing) => `${area}${thing}${part}`)));
  if (count > all.length) throw new RangeError(`There are names for ${all.length} models.`);
  return all.slice(0, count);
}

/** Two or three relations of a model to others, of which every third is optional. */
function linksOf(from, index, names) {
  const count = 2 + (index % 2);
  return Array.from({ length: count }, (_, nth) => ({
    from,
    to: names[(index * 7 + nth * 31 + 1) % names.length],
    field: ['owner', 'parent', 'origin'][nth],
    isOptional: (index + nth) % 3 === 0,
  }));
}

function fieldsOf(name, index, links) {
  const scalars = Array.from({ length: 8 + (index % 9) }, (_, nth) => FIELDS[(index + nth) % FIELDS.length]);
  const own = links
    .filter(({ from }) => from === name)
    .flatMap(({ to, field, isOptional }) => [
      `${field}Id Int${isOptional ? '?' : ''}`,
      `${field} ${to}${isOptional ? '?' : ''} @relation("${name}_${field}", fields: [${field}Id], references: [id])`,
    ]);
  const back = links.filter(({ to }) => to === name).map(({ from, field }) => `${from}_${field} ${from}[] @relation("${from}_${field}")`);
  return ['id Int @id @default(autoincrement())', 'createdAt DateTime @default(now())', ...scalars, ...own, ...back];
}

function block(kind, name, lines) {
  return `${kind} ${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`;
}
