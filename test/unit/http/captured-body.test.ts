import { captureBody } from '../../../lib/http/captured-body.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('captureBody', () => {
  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/vnd.api+json'])('parses %s', (type) => {
    expect(captureBody(bytes('{"a":1}'), type)).toEqual({ kind: 'json', value: { a: 1 } });
  });

  it.each(['text/plain', 'multipart/form-data', undefined, 'application/jsonx'])('does not parse %s', (type) => {
    expect(captureBody(bytes('{"a":1}'), type)).toEqual({ kind: 'other' });
  });

  it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-URLencoded; charset=utf-8'])('keeps the text of %s', (type) => {
    expect(captureBody(bytes('a=%C3%A4&b=+'), type)).toEqual({ kind: 'form', text: 'a=%C3%A4&b=+' });
    expect(captureBody(Uint8Array.of(0x61, 0xff), type)).toEqual({ kind: 'malformed', detail: 'The request body is not UTF-8.' });
  });

  it('has the kind none for an empty body, and the value null for the JSON null', () => {
    expect(captureBody(undefined, 'application/json')).toEqual({ kind: 'none' });
    expect(captureBody(bytes(''), 'application/json')).toEqual({ kind: 'none' });
    expect(captureBody(bytes('null'), 'application/json')).toEqual({ kind: 'json', value: null });
  });

  it('names the position of the fault of malformed JSON', () => {
    expect(captureBody(bytes('{"secret":1,}'), 'application/json')).toEqual({
      kind: 'malformed',
      detail: 'The request body is not valid JSON at position 12.',
    });
  });

  it('quotes nothing of a malformed body', () => {
    expect(captureBody(bytes('{"secret": tru}'), 'application/json')).toEqual({
      kind: 'malformed',
      detail: 'The request body is not valid JSON.',
    });
  });

  it('refuses invalid UTF-8', () => {
    expect(captureBody(Uint8Array.of(0x22, 0xff, 0x22), 'application/json').kind).toBe('malformed');
  });

  it.each([
    ['that is cut off within a character', Uint8Array.of(0x22, 0xe2, 0x82)],
    ['that is not UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('parses a body after one %s', (_, broken) => {
    captureBody(broken, 'application/json');
    expect(captureBody(bytes('\uFEFF"€"'), 'application/json')).toEqual({ kind: 'json', value: '€' });
  });
});
