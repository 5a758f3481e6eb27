import { resolve } from 'node:path';
import ts from 'typescript';
import { long } from '../support/long.js';
import { buildResourceModel } from '../../lib/model/build-resource-model.js';
import { schemaOf } from '../unit/rpc/model-of.js';
import type { ResourceSchema } from '../../lib/model/schema/resource-schema.js';
import type { Resource } from '../../lib/model/surface/surface.js';
import type { ResourcesOption } from '../../lib/model/exposure/resources-option.js';
import { resourceSchema } from '../support/generated/resource-schema.js';

/** Options of every kind, on a schema with comments of every kind, keys that share a field, and a hidden model. */
const CASES: readonly (readonly [name: string, resources: ResourcesOption<typeof resourceSchema>])[] = [
  ['no options', {}],
  ['a hidden model', { User: 'hidden' }],
  ['computed fields', { User: { computed: { title: 'String', age: 'Int?' }, fields: { name: 'hidden' } } }],
  ['only what is named', { '*': 'hidden', 'Post': { actions: ['read'] }, 'Comment': {} }],
  ['presets', { Post: { fields: { title: 'readOnly', content: 'writeOnly', viewCount: 'immutable', metadata: 'hidden' } } }],
  [
    'values of the server',
    { Post: { fields: { authorId: { value: { create: () => 1 } }, title: { value: { update: () => 'x' }, sort: false } } } },
  ],
  ['a hidden relation', { Post: { fields: { author: 'hidden' } }, Comment: { fields: { authorId: 'readOnly' } } }],
  [
    'single rights',
    { Post: { fields: { title: { read: false }, content: { filter: ['equals'], sort: false }, rating: { update: false } } } },
  ],
  [
    'comments overruled',
    { User: { fields: { passwordHash: { create: true }, pin: { read: true }, loginCount: { update: true, filter: false } } } },
  ],
  ['an opened model', { ApiToken: { actions: ['read', 'create'], fields: { secret: 'writeOnly' } } }],
  ['a renamed model', { ApiToken: { type: 'token' } }],
  [
    'fields of hidden models alone',
    { '*': 'hidden', 'Tag': {}, 'ApiToken': { fields: { secret: 'hidden' } }, 'Post': { fields: { title: 'readOnly' } } },
  ],
  ['fields of a model that a comment hides alone', { ApiToken: { fields: { secret: { read: true } } } }],
  ['a model that is never read', { Comment: { actions: ['create'] } }],
  ['an id that is hidden', { User: { externalId: 'email', fields: { id: 'hidden' } } }],
  [
    'an id that is hidden, and a key that is named',
    { User: { externalId: 'email', fields: { id: 'hidden' } }, Post: { fields: { authorId: 'readOnly' } } },
  ],
  ['parts of keys', { Order: 'hidden', OrderLine: 'hidden', Refund: { fields: { orderId: 'readOnly' } } }],
  ['a reference to a hidden model, its key named', { Category: 'hidden', Post: { fields: { categoryId: 'readOnly' } } }],
];

/** Keys that share a field: every relation of a tenant's records holds the tenant. */
const TENANTS = `
model Tenant {
  id      Int      @id
  members Member[]
  teams   Team[]
}
model Team {
  tenantId Int
  number   Int
  tenant   Tenant   @relation(fields: [tenantId], references: [id])
  members  Member[]
  @@id([tenantId, number])
}
model Member {
  id       Int     @id
  tenantId Int
  number   Int?
  buddyId  Int?
  tenant   Tenant  @relation(fields: [tenantId], references: [id])
  team     Team?   @relation(fields: [tenantId, number], references: [tenantId, number])
  buddy    Member?  @relation("buddy", fields: [tenantId, buddyId], references: [tenantId, id])
  buddyOf  Member[] @relation("buddy")
  @@unique([tenantId, id])
}`;

const TENANT_CASES: readonly (readonly [name: string, resources: ResourcesOption])[] = [
  ['shared keys', {}],
  ['a hidden tenant', { Tenant: 'hidden', Team: 'hidden' }],
  ['a tenant that is hidden and a key that is named', { Tenant: 'hidden', Team: 'hidden', Member: { fields: { tenantId: 'readOnly' } } }],
  ['a hidden relation', { Member: { fields: { team: 'hidden' } } }],
  ['a read-only relation to the tenant', { Member: { fields: { tenant: 'readOnly' } } }],
  ['a hidden part of a key', { Member: { fields: { number: 'hidden' } } }],
];

const FILE = resolve(import.meta.dirname, 'exposed-by.generated.ts');

const tenants = schemaOf(TENANTS);

/** One assertion a field: what the server makes of these options is what the types say. */
function sourceOf(): string {
  const cases = [
    ...CASES.map(([, resources]) => ({
      schema: resourceSchema,
      resources: resources,
      type: 'resourceSchema',
    })),
    ...TENANT_CASES.map(([, resources]) => ({ schema: tenants, resources, type: 'tenants' })),
  ].map(({ schema, resources, type }, index) => {
    const { model } = buildResourceModel(schema, { resources });
    const names = model.resources.map(({ model: name }) => `'${name}'`).join(' | ');
    return [
      `const resources${index} = ${JSON.stringify(resources, (_, value: unknown) => (typeof value === 'function' ? {} : value))} as const;`,
      `type Case${index} = ExposedBy<typeof ${type}, typeof resources${index}>;`,
      `yes<Same<keyof Case${index}, ${names}>>();`,
      ...model.resources.flatMap((resource) => assertionsOf(schema, resource, `Case${index}['${resource.model}']`)),
    ].join('\n');
  });
  return [
    `import type { ExposedBy } from '../../lib/client/index.js';`,
    `import { resourceSchema } from '../support/generated/resource-schema.js';`,
    `import type { Same } from './expect-type-of.js';`,
    `const tenants = ${JSON.stringify(tenants)} as const;`,
    `declare function yes<T extends true>(): T;`,
    ...cases,
  ].join('\n');
}

function assertionsOf(schema: ResourceSchema, { model, actions, fields }: Resource, type: string): readonly string[] {
  const all = new Set([...Object.keys(schema.models[model]?.fields ?? {}), ...fields.keys()]);
  const rights = [...all].map((name) => {
    const open = Object.entries(fields.get(name)?.rights ?? {}).flatMap(([right, value]) => (value === false ? [] : [right]));
    return `yes<Same<${type}['fields']['${name}'], ${union(open)}>>();`;
  });
  return [`yes<Same<${type}['actions'], ${union([...actions])}>>();`, ...rights];
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}

function compile(source: string): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    resolve(import.meta.dirname, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  const options: ts.CompilerOptions = { ...config?.options, noUnusedLocals: false };
  const disk = ts.createCompilerHost(options);
  const file = ts.createSourceFile(FILE, source, ts.ScriptTarget.ES2023);
  const program = ts.createProgram([FILE], options, {
    ...disk,
    fileExists: (name) => name === FILE || disk.fileExists(name),
    getSourceFile: (name, version) => (name === FILE ? file : disk.getSourceFile(name, version)),
  });
  const lines = source.split('\n');
  return program
    .getSemanticDiagnostics(program.getSourceFile(FILE))
    .map(
      ({ start = 0, messageText }) =>
        `${lines[file.getLineAndCharacterOfPosition(start).line] ?? ''} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

/** What does not hold, or the test would prove nothing. */
const WRONG = [
  `yes<Same<Case0['Post']['fields']['title'], 'read'>>();`,
  `yes<Same<Case0['User']['fields']['passwordHash'], 'read'>>();`,
] as const;

describe('ExposedBy', () => {
  long.it('says of every field what the server makes of it, and a wrong right does not pass', () => {
    const source = sourceOf();
    expect(source.split('\n').length).toBeGreaterThan(1000);
    expect(compile([source, ...WRONG].join('\n'))).toEqual(WRONG.map((line) => expect.stringContaining(`${line} `) as unknown));
  });
});
