import { describe, expect, it } from '@jest/globals';
import { sample } from '../../../support/sample.js';
import fc from 'fast-check';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { checkAccept, checkContentType, JSON_API_MEDIA_TYPE } from '../../../../lib/rest/protocol/media-type.js';

function thrownBy(run: () => void): ApiError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

describe('checkAccept', () => {
  it.each([
    ['CN-15 absent', undefined],
    ['CN-15 empty', ''],
    ['CN-15 anything', '*/*'],
    ['CN-15 any application type', 'application/*'],
    ['CN-15 plain JSON', 'application/json'],
    ['CN-15 a browser', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['the media type', 'application/vnd.api+json'],
    ['CN-15 in other letters', 'Application/VND.API+JSON'],
    ['CN-08 a weight is no parameter', 'application/vnd.api+json;q=0.5'],
    ['CN-08 a weight in capitals', 'application/vnd.api+json ; Q=0.9'],
    ['CN-08 one instance without a foreign parameter is enough', 'application/vnd.api+json;charset=utf-8, application/vnd.api+json'],
    ['CN-10 one instance without an extension is enough', 'application/vnd.api+json;ext="https://a.example/x", application/vnd.api+json'],
    ['CN-12 an unknown profile', 'application/vnd.api+json;profile="https://a.example/p https://b.example/p"'],
    ['CN-12 an unknown profile, its name in capitals', 'application/vnd.api+json;PROFILE="https://a.example/p"'],
    ['an extension list without extensions', 'application/vnd.api+json;ext=""'],
    ['a comma and a semicolon inside a quoted value', 'application/vnd.api+json;profile="https://a.example/a,b;charset=c"'],
    ['an escaped quote inside a quoted value', 'application/vnd.api+json;profile="a\\";charset=x\\""'],
    ['CN-15 repeated headers', ['text/html', 'application/vnd.api+json']],
    ['nothing to read at all', ';;,"'],
  ])('answers: %s', (_, header) => {
    expect(
      thrownBy(() => {
        checkAccept(header);
      }),
    ).toBeUndefined();
  });

  it.each([
    ['CN-09 the only instance has a foreign parameter', 'application/vnd.api+json;charset=utf-8'],
    ['CN-09 all instances have one', 'application/vnd.api+json;charset=utf-8, application/vnd.api+json;foo=1'],
    ['CN-09 even when another type would do', 'application/vnd.api+json;charset=utf-8, */*'],
    ['CN-10 an unsupported extension', 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'],
    ['CN-10 its name in capitals', 'application/vnd.api+json;EXT="https://a.example/x"'],
    [
      'CN-10 every instance has one, the others being ignored',
      'application/vnd.api+json;ext="u:x", application/vnd.api+json;charset=utf-8',
    ],
    ['CN-10 an unquoted extension', 'application/vnd.api+json;ext=urn:x'],
    ['CN-15 repeated headers', ['application/vnd.api+json;a=b', 'application/vnd.api+json;c=d']],
    ['a weight of zero', 'application/vnd.api+json;q=0, application/json'],
    ['a foreign parameter without a value', 'application/vnd.api+json;foo'],
  ])('refuses: %s', (_, header) => {
    expect(
      thrownBy(() => {
        checkAccept(header);
      }),
    ).toMatchObject({
      status: 406,
      problems: [{ code: 'not-acceptable', source: { header: 'Accept' } }],
    });
  });

  it.each([
    [`${JSON_API_MEDIA_TYPE};q=0, */*`, /by the weight 0 \(q=0\)/],
    [`${JSON_API_MEDIA_TYPE};q=0.0;profile="https://x.test"`, /by the weight 0 \(q=0\)/],
    [`${JSON_API_MEDIA_TYPE};q=0;charset=utf-8`, /has a parameter or an extension/],
    [`${JSON_API_MEDIA_TYPE};q=0, ${JSON_API_MEDIA_TYPE};charset=utf-8`, /has a parameter or an extension/],
  ])('names the reason why it refuses %s', (header, detail) => {
    expect(() => {
      checkAccept(header);
    }).toThrow(detail);
  });
});

describe('checkContentType', () => {
  it.each([
    ['the media type', 'application/vnd.api+json'],
    ['CN-15 in other letters', 'APPLICATION/Vnd.Api+Json'],
    ['CN-12 an unknown profile', 'application/vnd.api+json; profile="https://a.example/p"'],
    ['an extension list without extensions', 'application/vnd.api+json;ext=""'],
    ['a trailing semicolon', 'application/vnd.api+json;'],
  ])('takes in both modes: %s', (_, header) => {
    expect(
      thrownBy(() => {
        checkContentType(header, false);
      }),
    ).toBeUndefined();
    expect(
      thrownBy(() => {
        checkContentType(header, true);
      }),
    ).toBeUndefined();
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'D1: takes %s by default, and not in strict mode',
    (header) => {
      expect(
        thrownBy(() => {
          checkContentType(header, false);
        }),
      ).toBeUndefined();
      expect(
        thrownBy(() => {
          checkContentType(header, true);
        })?.status,
      ).toBe(415);
    },
  );

  it.each([
    ['CN-06 a charset', 'application/vnd.api+json; charset=utf-8'],
    ['CN-06 a parameter in quotes beside a profile', 'application/vnd.api+json; profile="u:p"; foo="bar"'],
    ['CN-06 a weight is a foreign parameter here', 'application/vnd.api+json; q=1'],
    ['CN-07 an unsupported extension', 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'],
    ['CN-16 plain text (a cross-site form can send it)', 'text/plain'],
    ['CN-16 a form', 'application/x-www-form-urlencoded'],
    ['CN-16 a form of parts', 'multipart/form-data; boundary=application/vnd.api+json'],
    ['a text that only mentions the media type', 'text/plain; application/vnd.api+json'],
    ['two types', 'text/plain, application/vnd.api+json'],
    ['another JSON', 'application/ld+json'],
    ['none (a cross-site request can leave it out)', undefined],
    ['an empty one', ''],
  ])('refuses in both modes: %s', (_, header) => {
    for (const strict of [false, true]) {
      expect(
        thrownBy(() => {
          checkContentType(header, strict);
        }),
      ).toMatchObject({
        status: 415,
        problems: [{ code: 'unsupported-media-type', source: { header: 'Content-Type' } }],
      });
    }
  });

  it('names what to send instead', () => {
    expect(
      thrownBy(() => {
        checkContentType('text/plain', false);
      })?.message,
    ).toContain("'application/vnd.api+json' or 'application/json'");
    expect(
      thrownBy(() => {
        checkContentType('text/plain', true);
      })?.message,
    ).not.toContain('application/json');
  });
});

describe('any header', () => {
  const fragment = fc.constantFrom(
    JSON_API_MEDIA_TYPE,
    'application/json',
    ';',
    ',',
    '"',
    '\\',
    '=',
    'ext',
    'profile',
    'q',
    '0',
    ' ',
    'charset',
  );
  const header = fc.array(fc.oneof(fragment, fc.string())).map((parts) => parts.join(''));

  it('is taken or refused with an ApiError, never with anything else', () => {
    fc.assert(
      fc.property(header, fc.boolean(), (text, strict) => {
        thrownBy(() => {
          checkAccept(text);
        });
        thrownBy(() => {
          checkContentType(text, strict);
        });
      }),
    );
  });

  it('is accepted with any profile', () => {
    fc.assert(
      fc.property(fc.webUrl(), (uri) => {
        checkAccept(`${JSON_API_MEDIA_TYPE};profile="${uri}"`);
        checkContentType(`${JSON_API_MEDIA_TYPE};profile="${uri}"`, true);
      }),
      { numRuns: sample.choose(20, 100) },
    );
  });
});
