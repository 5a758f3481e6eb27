import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../lib/generator/run-cli.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import type { ResourcesOption } from '../../../lib/model/exposure/resources-option.js';
import type { RulesOption } from '../../../lib/rules/rules-option.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

const FIELDS = { id: ID, email: scalar('String'), posts: hasMany('Post', 'author') };
const POST = modelOf({ id: ID, authorId: scalar('Int'), author: belongsTo('User', 'posts', { fields: ['authorId'] }) });
const SCHEMA = schemaOf({ User: modelOf(FIELDS), Post: POST });

let folder: string;
let files = 0;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'surface-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function surface(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { log: (text: string) => out.push(text), error: (text: string) => err.push(text) };
  const code = await runCli(['surface', ...args], terminal);
  return { code, out: out.join('\n'), err: err.join('\n').replaceAll(folder, '') };
}

/** Writes a new module each time, since Node caches imported modules. */
function moduleOf(exports: Readonly<Record<string, unknown>>, extension = 'mjs'): string {
  const file = join(folder, `module-${files++}.${extension}`);
  const lines = Object.entries(exports).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

const lockFile = (): string => join(folder, 'surface.lock.json');

async function write(resourceSchema: ResourceSchema, resources: ResourcesOption = {}): Promise<void> {
  expect(await surface('--schema', moduleOf({ resourceSchema, resources }), '--lock', lockFile())).toMatchObject({ code: 0, err: '' });
}

function check(resourceSchema: ResourceSchema, resources: ResourcesOption = {}): ReturnType<typeof surface> {
  return surface('--check', '--schema', moduleOf({ resourceSchema, resources }), '--lock', lockFile());
}

describe('nestjs-resource-api surface', () => {
  it('writes what is exposed, a line a model and a field, and nothing that is hidden', async () => {
    await write(SCHEMA, {
      Post: { actions: ['read'] },
      User: { type: 'people', fields: { email: { filter: ['equals', 'in'] }, posts: 'hidden' } },
    });
    expect(readFileSync(lockFile(), 'utf8')).toBe(`{
  "version": 1,
  "open": {
    "User": "read create update delete",
    "User.id": "read filter sort create update",
    "User.email": "read filter:equals filter:in sort create update",
    "Post": "read",
    "Post.id": "read filter sort create update",
    "Post.authorId": "read filter sort create update",
    "Post.author": "read filter sort create update"
  }
}
`);
  });

  it('prints what has changed when it writes again', async () => {
    await write(SCHEMA, { Post: 'hidden' });
    const { out } = await surface('--schema', moduleOf({ resourceSchema: SCHEMA, resources: { User: 'hidden' } }), '--lock', lockFile());
    expect(out).toContain('\n+ Post: read, create, update, delete\n');
    expect(out).toContain('\n- User.email: read, filter, sort, create, update');
  });

  it('passes a check where nothing more is exposed', async () => {
    await write(SCHEMA);
    expect(await check(SCHEMA)).toEqual({
      code: 0,
      out: 'The API opens nothing that /surface.lock.json does not allow.'.replace('/', `${folder}/`),
      err: '',
    });
  });

  it('fails a check for what a schema change exposes, and prints what and how to hide it', async () => {
    await write(SCHEMA);
    const wider = schemaOf({ User: modelOf({ ...FIELDS, ssn: scalar('String') }), Post: POST, Audit: modelOf({ id: ID }) });
    const { code, out, err } = await check(wider);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(`The API opens what /surface.lock.json does not allow:

+ User.ssn: read, filter, sort, create, update
+ Audit: read, create, update, delete
+ Audit.id: read, filter, sort, create, update

Close it by \`resources\`, \`rules\` or a comment (/// @api.hidden) in the Prisma schema; where it is meant, run the command without --check and commit the file.`);
  });

  it.each<[string, ResourcesOption, ResourcesOption, string]>([
    ['an action', { User: { actions: ['read'] } }, {}, '+ User: create, update, delete'],
    ['a right', { User: { fields: { email: { sort: false } } } }, {}, '+ User.email: sort'],
    ['a field', { User: { fields: { email: 'hidden' } } }, { User: { fields: { email: 'writeOnly' } } }, '+ User.email: create, update'],
    ['all operators', { User: { fields: { email: { filter: ['equals'] } } } }, {}, '+ User.email: filter'],
    [
      'an operator',
      { User: { fields: { email: { filter: ['equals'] } } } },
      { User: { fields: { email: { filter: ['equals', 'in'] } } } },
      '+ User.email: filter:in',
    ],
    ['a model that only relations lead to', { Post: 'hidden' }, { Post: { actions: [] } }, '+ Post: nothing but its being there'],
  ])('fails a check for %s that options expose', async (_, before, after, line) => {
    await write(SCHEMA, before);
    const { code, err } = await check(SCHEMA, after);
    expect(code).toBe(1);
    expect(err.split('\n')).toContain(line);
  });

  it('passes a check when something was hidden, and prints that the lock is too wide', async () => {
    await write(SCHEMA);
    const { code, out } = await check(SCHEMA, { User: { fields: { email: { filter: ['equals'], update: false } } } });
    expect(code).toBe(0);
    expect(out).toContain('It allows more than that');
    expect(out).toContain('- User.email: filter, update');
  });

  it('ignores names that are changed in REST', async () => {
    await write(SCHEMA);
    expect((await check(SCHEMA, { User: { type: 'people', fields: { email: { name: 'mail' } } } })).code).toBe(0);
  });

  it('reads the option resources from a separate file', async () => {
    const schema = moduleOf({ resourceSchema: SCHEMA });
    const resources = moduleOf({
      resources: { '*': 'hidden', 'User': { actions: ['read'], fields: { email: 'hidden', posts: 'hidden' } } },
    });
    await surface('--schema', schema, '--resources', resources, '--lock', lockFile());
    expect(Object.keys(JSON.parse(readFileSync(lockFile(), 'utf8')).open)).toEqual(['User', 'User.id']);
  });

  describe('with row rules', () => {
    const withRules = (rules: RulesOption): ReturnType<typeof surface> =>
      surface('--check', '--schema', moduleOf({ resourceSchema: SCHEMA }), '--rules', moduleOf({ rules }), '--lock', lockFile());
    const RULES = { 'Post': { read: true, create: { id: 1 }, update: { id: 1 } }, '*': { read: true } } satisfies RulesOption;

    beforeEach(async () => {
      await surface('--schema', moduleOf({ resourceSchema: SCHEMA, rules: RULES }), '--lock', lockFile());
    });

    it('writes for every model and action whether it is open, ruled or closed', () => {
      expect(JSON.parse(readFileSync(lockFile(), 'utf8')).open).toMatchObject({ User: 'read', Post: 'read create:ruled update:ruled' });
    });

    it.each<[string, RulesOption, string]>([
      ['an action that loses its rule', { Post: { ...RULES.Post, create: true } }, '+ Post: create'],
      ['an action that gets one', { Post: { ...RULES.Post, delete: { id: 1 } } }, '+ Post: delete:ruled'],
      ['a model that is open', { User: true }, '+ User: create, update, delete'],
    ])('fails a check for %s', async (_, change, line) => {
      const { code, err } = await withRules({ ...RULES, ...change });
      expect([code, err.split('\n')]).toEqual([1, expect.arrayContaining([line])]);
    });

    it('passes a check for stricter rules, and prints that the lock is too wide', async () => {
      const { code, out } = await withRules({ ...RULES, User: { read: { id: 1 } }, Post: { read: true } });
      expect([code, out.split('\n')]).toEqual([0, expect.arrayContaining(['- User: read', '- Post: create:ruled, update:ruled'])]);
      expect(out).not.toContain('+');
    });

    it('fails a check without the rules that the lock was written with', async () => {
      const { code, err } = await surface('--check', '--schema', moduleOf({ resourceSchema: SCHEMA }), '--lock', lockFile());
      expect([code, err]).toEqual([1, expect.stringContaining('+ Post: create, update, delete')]);
    });

    it('accepts rules that are functions', async () => {
      const file = join(folder, 'functions.mjs');
      writeFileSync(file, "export const rules = { Post: { read: () => ({ id: 1 }) }, '*': false };");
      await surface('--schema', moduleOf({ resourceSchema: SCHEMA }), '--rules', file, '--lock', lockFile());
      expect(JSON.parse(readFileSync(lockFile(), 'utf8')).open).toMatchObject({ User: '', Post: 'read:ruled' });
    });
  });

  describe('with grants', () => {
    const OPTIONS =
      "{ User: { fields: { email: { read: granted('hr'), filter: granted('hr', 'admin'), update: true }, posts: { read: granted('admin') } } }, Post: { actions: { read: granted('hr'), update: granted('admin') } } }";
    const EACH = 'read(hr) read(admin) filter(hr) filter(admin) sort(hr) sort(admin) create(hr) create(admin) update(hr) update(admin)';
    // As `granted` of the package makes them. The module cannot import the package, because it is outside of it.
    const granting = (resources: string): string => {
      const file = join(folder, `granting-${files++}.mjs`);
      const own = "const granted = (...names) => ({ '~grants': names });";
      writeFileSync(file, `${own}\nexport const resourceSchema = ${JSON.stringify(SCHEMA)};\nexport const resources = ${resources};\n`);
      return file;
    };
    const checked = (resources: string): ReturnType<typeof surface> =>
      surface('--check', '--schema', granting(resources), '--lock', lockFile());

    beforeEach(async () => {
      await surface('--schema', granting(OPTIONS), '--lock', lockFile());
    });

    it('writes which grants expose what: none, one grant, or only several together', () => {
      expect(JSON.parse(readFileSync(lockFile(), 'utf8')).open).toEqual({
        'User': 'read create update delete',
        'User.id': 'read filter sort create update',
        'User.email': 'read(hr) filter(hr) filter(admin) sort(hr) create(hr) update',
        'User.posts': 'read(hr+admin) filter(hr+admin) sort(hr+admin) create(admin) update(admin)',
        'Post': 'read(hr) update(admin)',
        'Post.id': EACH,
        'Post.authorId': EACH,
        'Post.author': EACH,
      });
    });

    it.each([
      [
        'a right that a grant opens',
        "email: { read: granted('hr')",
        "email: { sort: granted('admin'), read: granted('hr')",
        '+ User.email: sort(admin)',
      ],
      [
        'a right of another grant',
        "read: granted('hr'), filter",
        "read: granted('hr', 'admin'), filter",
        '+ User.email: read(admin), sort(admin), create(admin)',
      ],
      ['a right that loses its grant', "email: { read: granted('hr')", 'email: { read: true', '+ User.email: read, sort, create'],
      [
        'an action that a grant opens',
        "actions: { read: granted('hr'),",
        "actions: { read: granted('hr'), delete: granted('hr'),",
        '+ Post: delete(hr)',
      ],
    ])('fails a check for %s', async (_, from, to, line) => {
      expect((await checked(OPTIONS)).code).toBe(0);
      const { code, err } = await checked(OPTIONS.replace(from, to));
      expect([code, err.split('\n')]).toEqual([1, expect.arrayContaining([line])]);
    });

    it('passes a check where a right requires a grant that it did not require in the lock', async () => {
      await write(SCHEMA);
      expect((await checked(OPTIONS)).code).toBe(0);
    });
  });

  it.each<[string, () => readonly string[], RegExp]>([
    ['no schema', () => [], /--schema is missing/],
    ['an unknown option', () => ['--schem', 'x'], /--schem/],
    ['a file that is not there', () => ['--schema', join(folder, 'no.mjs')], /no\.mjs cannot be loaded/],
    ['a module without the schema', () => ['--schema', moduleOf({})], /does not export 'resourceSchema'/],
    [
      'a module without the options',
      () => ['--schema', moduleOf({ resourceSchema: SCHEMA }), '--resources', moduleOf({})],
      /does not export 'resources'/,
    ],
    [
      'options that do not fit',
      () => ['--schema', moduleOf({ resourceSchema: SCHEMA, resources: { Usr: 'hidden' } })],
      /names 'Usr'.*Did you mean 'User'/,
    ],
    [
      'a module without rules',
      () => ['--schema', moduleOf({ resourceSchema: SCHEMA }), '--rules', moduleOf({})],
      /does not export 'rules'/,
    ],
    [
      'rules that do not fit',
      () => ['--schema', moduleOf({ resourceSchema: SCHEMA, rules: { Post: true } })],
      /The model 'User' has no rules/,
    ],
    [
      'a check without a lock',
      () => ['--check', '--schema', moduleOf({ resourceSchema: SCHEMA }), '--lock', lockFile()],
      /There is no .*surface\.lock\.json/,
    ],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, out, err } = await surface(...args());
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).not.toContain('    at ');
  });

  it.each(['{', '{}', '[]', 'null', '{"version":2,"open":{}}'])('exits with 2 for a lock that is %s', async (text) => {
    writeFileSync(lockFile(), text);
    expect(await check(SCHEMA)).toMatchObject({ code: 2, out: '' });
  });
});
