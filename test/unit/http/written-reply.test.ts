import { describe, expect, it, jest } from '@jest/globals';
import { changeableReply, bodyWriterOf, writtenReply } from '../../../lib/http/written-reply.js';

const write = (): Uint8Array => Buffer.from('{"data":1}');

describe('writtenReply', () => {
  it('makes its body when it is read, once', () => {
    const writes = jest.fn(() => Buffer.from('{"data":1}'));
    const reply = writtenReply({ status: 200 }, writes);
    expect(bodyWriterOf(reply)).toBe(writes);
    expect(reply.body).toEqual({ data: 1 });
    expect(reply.body).toBe(reply.body);
    expect(bodyWriterOf(reply)).toBeUndefined();
    expect(writes).toHaveBeenCalledTimes(1);
  });
});

it('throws for an interceptor that reads a body which is longer than a string', () => {
  const tooLong = writtenReply({ status: 200 }, (maxBytes) => (maxBytes < 2 ** 30 ? undefined : Buffer.from('{}')));
  expect(() => tooLong.body).toThrow('The response is longer than a string may be.');
});

describe('changeableReply', () => {
  it('keeps the writer of the body where no interceptor has read the body', () => {
    const reply = changeableReply(writtenReply({ status: 201, headers: { Location: '/1' } }, write));
    const changed = Object.assign(reply, { headers: { ETag: '"1"' } });
    expect(bodyWriterOf(changed)).toBe(write);
    expect(changed).toMatchObject({ status: 201, headers: { ETag: '"1"' } });
  });

  it('copies the members of a reply', () => {
    const reply = changeableReply(writtenReply({ status: 200 }, write));
    const copy = { ...reply, status: 202 };
    expect(copy).toEqual({ status: 202, body: { data: 1 } });
    expect(bodyWriterOf(copy)).toBeUndefined();
  });

  it('has the body that an interceptor has set', () => {
    const reply = changeableReply(writtenReply({ status: 200 }, write));
    expect(bodyWriterOf(Object.assign(reply, { body: 'other' }))).toBeUndefined();
    expect(reply.body).toBe('other');
  });

  it('copies any other reply, with the body that was read', () => {
    const reply = writtenReply({ status: 200 }, write);
    expect(reply.body).toEqual({ data: 1 });
    expect(changeableReply(reply)).toEqual({ status: 200, body: { data: 1 } });
    expect(changeableReply({ status: 204 })).toEqual({ status: 204 });
  });
});
