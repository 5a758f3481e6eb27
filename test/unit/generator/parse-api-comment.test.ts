import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FIELD_MARKS, FIELD_PRESETS, marksVersion, MODEL_PRESETS, parseApiComment } from '../../../lib/generator/parse-api-comment.js';

const parseField = (documentation: string | undefined) => parseApiComment(documentation, 'User.name', FIELD_PRESETS);

describe('parseApiComment', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['The full name.', undefined],
    ['@api.hidden', 'hidden'],
    ['@api.readOnly', 'readOnly'],
    ['@api.writeOnly', 'writeOnly'],
    ['@api.immutable', 'immutable'],
    ['Bcrypt, never sent. @api.hidden', 'hidden'],
    ['@api.hidden: it is bcrypt', 'hidden'],
    ['first line\n@api.immutable\nthird line', 'immutable'],
    ['tabs\t@api.hidden\tbetween', 'hidden'],
    ['(@api.hidden), `@api.hidden`.', 'hidden'],
    ['@api.hidden @api.hidden', 'hidden'],
    ['Write to team@api.example.org.', undefined],
    ['@apiHidden and @hidden are of other tools', undefined],
  ])('reads %j as %s', (documentation, preset) => {
    expect(parseField(documentation)).toBe(preset);
  });

  it.each([
    ['@api.hiden', '@api.hiden'],
    ['@api.Hidden', '@api.Hidden'],
    ['@api.read-only', '@api.read-only'],
    ['@api.', '@api.'],
    ['@api.constructor', '@api.constructor'],
    ['@api.__proto__', '@api.__proto__'],
    ['@api.hidden @api.hide', '@api.hide'],
  ])('refuses %j, naming the field and the presets that exist', (documentation, wrong) => {
    expect(() => parseField(documentation)).toThrow(
      `User.name has ${wrong}, which means nothing there. Known: @api.hidden, @api.readOnly, @api.writeOnly, @api.immutable.`,
    );
  });

  it('refuses two presets that contradict each other', () => {
    expect(() => parseField('@api.readOnly and @api.writeOnly')).toThrow(
      'User.name has @api.readOnly, @api.writeOnly, which contradict each other. Keep one of them.',
    );
  });

  it('accepts only hidden on a model', () => {
    expect(parseApiComment('Internal. @api.hidden', 'AuditLog', MODEL_PRESETS)).toBe('hidden');
    expect(() => parseApiComment('@api.readOnly', 'AuditLog', MODEL_PRESETS)).toThrow(
      'AuditLog has @api.readOnly, which means nothing there. Known: @api.hidden.',
    );
  });

  it('ignores marks such as @api.version', () => {
    expect(parseApiComment('@api.version @api.readOnly', 'Post.version', FIELD_PRESETS, FIELD_MARKS)).toBe('readOnly');
    expect(parseApiComment('@api.version', 'Post.version', FIELD_PRESETS, FIELD_MARKS)).toBeUndefined();
    expect([marksVersion('Counts. @api.version'), marksVersion('its version'), marksVersion(undefined)]).toEqual([true, false, false]);
    expect(() => parseApiComment('@api.version', 'Post', MODEL_PRESETS)).toThrow('Post has @api.version, which means nothing there.');
  });

  it('finds a preset anywhere among words, and none in words alone', () => {
    const word = fc.string({ minLength: 1, maxLength: 10 }).filter((text) => !text.includes('@api.') && !/\s/.test(text));
    const words = fc.array(word, { maxLength: 6 });
    const space = fc.constantFrom(' ', '\n', '\t', '  ');
    fc.assert(
      fc.property(
        fc.record({ before: words, after: words, gap: space, preset: fc.constantFrom(...FIELD_PRESETS) }),
        ({ before, after, gap, preset }) => {
          expect(parseField([...before, `@api.${preset}`, ...after].join(gap))).toBe(preset);
          expect(parseField([...before, ...after].join(gap))).toBeUndefined();
        },
      ),
    );
  });

  it('returns a preset or nothing, or throws an error that names the field, for any text', () => {
    const text = fc
      .array(fc.oneof(fc.string(), fc.constantFrom('@api.', '@api.hidden', 'readOnly', '.', ' ', 'x@api.immutable')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (documentation) => {
        try {
          expect([undefined, ...FIELD_PRESETS]).toContain(parseField(documentation));
        } catch (error) {
          expect((error as Error).message).toMatch(/^User\.name has @api\./);
        }
      }),
    );
  });
});
