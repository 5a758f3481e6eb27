import { describe, expect, it } from '@jest/globals';
import { findLostDirectives } from '../../../lib/generator/find-lost-directives.js';
import { describeSchema, EVERYTHING, schemaText } from './describe-schema.js';

/** A model of an id and these lines. */
const model = (...lines: readonly string[]) => ['model User {', '  id Int @id', ...lines, '}'].join('\n');

const VIEWS = 'generator client {\n  provider        = "prisma-client"\n  output          = "client"\n  previewFeatures = ["views"]\n}\n';

/** Returns the comments of these blocks that Prisma attaches to no model and no field. */
function lostIn(blocks: string): readonly string[] {
  const text = blocks.includes('datasource') ? blocks : schemaText(blocks);
  return findLostDirectives(text, describeSchema(text).datamodel.models);
}

describe('findLostDirectives', () => {
  it.each([
    ['a plain comment behind a field', model('  hash String // @api.hidden'), ['hash String // @api.hidden']],
    ['a plain comment without a space', model('  //@api.hidden', '  hash String'), ['//@api.hidden']],
    [
      'a plain comment behind a string with slashes',
      model('  url String @default("http://x") // @api.hidden'),
      ['url String @default("http://x") // @api.hidden'],
    ],
    ['a plain comment above a model', `// @api.hidden\n${model()}`, ['// @api.hidden']],
    ['documentation of a block attribute', model('  a Int', '  /// @api.hidden', '  @@index([a])'), ['/// @api.hidden']],
    ['documentation behind a block attribute', model('  a Int', '  @@index([a]) /// @api.hidden'), ['@@index([a]) /// @api.hidden']],
    ['documentation at the end of a model', model('  a Int', '  /// @api.hidden'), ['/// @api.hidden']],
    ['documentation behind the end of a model', `${model()} /// @api.hidden`, ['} /// @api.hidden']],
    ['documentation behind the start of a model', 'model User { /// @api.hidden\n  id Int @id\n}', ['model User { /// @api.hidden']],
    ['documentation at the end of the file', `${model()}\n/// @api.hidden\n\n`, ['/// @api.hidden']],
    ['documentation of an enum', '/// @api.hidden\nenum Color {\n  RED\n}', ['/// @api.hidden']],
    [
      'documentation of an enum value',
      'enum Color {\n  /// @api.hidden\n  RED\n  GREEN /// @api.hidden\n}',
      ['/// @api.hidden', 'GREEN /// @api.hidden'],
    ],
    ['documentation of a datasource', '/// @api.hidden\ndatasource db {\n  provider = "sqlite"\n}', ['/// @api.hidden']],
    [
      'documentation in a composite type',
      'datasource db {\n  provider = "mongodb"\n}\ntype Address {\n  /// @api.hidden\n  street String\n}',
      ['/// @api.hidden'],
    ],
    ['documentation with a blank line before its model', `/// @api.hidden\n\n${model()}`, ['/// @api.hidden']],
    [
      'documentation with a blank line and a plain comment before its field',
      model('  /// @api.hidden', '', '  // plain', '  a Int'),
      ['/// @api.hidden'],
    ],
    ['documentation that other documentation replaces', model('  /// @api.hidden', '', '  /// other', '  a Int'), ['/// @api.hidden']],
    ['lines that end as on Windows', 'model User {\r\n  hash String @id // @api.hidden\r\n}\r\n', ['hash String @id // @api.hidden']],
  ])('finds %s', (_case, text, lost) => {
    expect(lostIn(text)).toEqual(lost);
  });

  it.each([
    ['documentation above a field', model('  /// @api.hidden', '  hash String')],
    ['documentation behind a field', model('  hash String /// @api.hidden')],
    ['documentation above a field, with comments between', model('  /// @api.hidden', '  /// more', '  // plain', '  hash String')],
    ['documentation above a field, with a blank line between', model('  /// @api.hidden', '', '  hash String')],
    [
      'documentation of what the client does not offer',
      model('  a Int @ignore /// @api.hidden', '  b Unsupported("circle")? /// @api.hidden'),
    ],
    ['documentation above a field called type', model('  /// @api.hidden', '  type String')],
    ['documentation above a model', `/// @api.hidden\n${model()}`],
    ['documentation above a view and behind its field', `${VIEWS}/// @api.hidden\nview V {\n  id Int /// @api.hidden\n}`],
    ['a field that is commented out', model('  // hash String /// @api.hidden', '  // /// @api.hidden')],
    ['a string that looks like a comment', model('  a String @default("// @api.hidden \\" // @api.hidden")')],
    ['plain talk about it', model('  // Say @api.hidden where it matters', '  a Int')],
  ])('leaves alone %s', (_case, text) => {
    expect(lostIn(text)).toEqual([]);
  });

  it('finds nothing in a schema whose comments are all read', () => {
    expect(lostIn(EVERYTHING.text)).toEqual([]);
  });
});
