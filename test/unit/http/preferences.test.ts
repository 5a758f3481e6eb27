import { preferenceOf } from '../../../lib/http/preferences.js';

const COUNT = { name: 'count', read: (value: string) => (value === 'none' ? ('none' as const) : undefined) };
const preference = (prefer: string | string[] | undefined) => preferenceOf({ headers: { ...(prefer !== undefined && { prefer }) } }, COUNT);

describe('preferenceOf', () => {
  it.each([
    ['count=none', 'count=none'],
    ['Count = "none"', 'count=none'],
    ['respond-async, wait=10, count=none; foo="a, b"', 'count=none'],
    ['foo; bar="x;,\\"y", count=none', 'count=none'],
    ['count=none, count=exact', 'count=none'],
    ['handling=strict, count=none', 'count=none, handling=strict'],
    ['HANDLING="strict",count=none', 'count=none, handling=strict'],
    [['handling=lenient', 'count=none'], 'count=none'],
  ])('PF-01: reads %j', (header, applied) => {
    expect(preference(header)).toEqual({ value: 'none', headers: { 'Preference-Applied': applied } });
  });

  it.each([undefined, '', 'count', 'count=all', 'counting=none', 'x="count=none"', 'count=exact, count=none', '=none', ',,;'])(
    'PF-01: applies nothing of %j',
    (header) => {
      expect(preference(header)).toBeUndefined();
    },
  );

  it.each([
    ['handling=strict, count=all', "The preference 'count=all' cannot be fulfilled here, and handling=strict asks to say so."],
    ['wait=10, handling=strict', "The preference 'wait=10' cannot be fulfilled here, and handling=strict asks to say so."],
    [
      'respond-async, count=none, handling=strict',
      "The preference 'respond-async' cannot be fulfilled here, and handling=strict asks to say so.",
    ],
  ])('PF-01: refuses %j', (header, text) => {
    expect(() => preference(header)).toThrow(text);
  });

  it('PF-01: accepts handling=strict without other preferences', () => {
    expect(preference('handling=strict')).toBeUndefined();
    expect(preferenceOf({ headers: { prefer: 'handling=strict' } })).toBeUndefined();
    expect(() => preferenceOf({ headers: { prefer: 'handling=strict, count=none' } })).toThrow('count=none');
  });

  it('parses a hostile header in linear time', () => {
    const hostile = `a${';"'.repeat(20_000)}`;
    expect(preference(hostile)).toBeUndefined();
    expect(preference(`${'a,'.repeat(20_000)}count=none`)).toMatchObject({ value: 'none' });
  });
});
