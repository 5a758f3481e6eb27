import { AccessDeniedError } from '../../../lib/errors/access-denied-error.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { ConfigurationError } from '../../../lib/errors/configuration-error.js';
import { shareInstances } from '../../../lib/errors/share-instances.js';

describe('shareInstances', () => {
  const [first, second] = [copyOf('Shape'), copyOf('Shape')];
  class Circle extends first {}

  it('makes instances of one copy pass instanceof of the other', () => {
    expect(new second()).toBeInstanceOf(first);
    expect(new Circle()).toBeInstanceOf(second);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'Shape'],
    ['an object', {}],
    ['an error', new Error('Shape')],
    ['an instance of a class with another name', new (copyOf('Colour'))()],
  ])('rejects by instanceof: %s', (_, value) => {
    expect(value instanceof first).toBe(false);
  });

  it('does not accept instances of a class for its subclass', () => {
    expect(new Circle()).toBeInstanceOf(Circle);
    expect(new first() instanceof Circle).toBe(false);
    expect(new second() instanceof Circle).toBe(false);
  });

  it('adds no visible property to instances and to the prototype', () => {
    const instance = new first();
    expect(Reflect.ownKeys(instance)).toEqual(Reflect.ownKeys(new Error()));
    expect(Object.keys(first.prototype)).toEqual([]);
  });
});

describe('the exported errors', () => {
  it("are no instances of each other's classes, but that AccessDeniedError is an ApiError", () => {
    const [api, denied, configuration] = [new ApiError('invalid-id', ''), new AccessDeniedError(), new ConfigurationError('', '')];
    expect([api, denied, configuration].map((error) => error instanceof ApiError)).toEqual([true, true, false]);
    expect([api, denied, configuration].map((error) => error instanceof AccessDeniedError)).toEqual([false, true, false]);
    expect([api, denied, configuration].map((error) => error instanceof ConfigurationError)).toEqual([false, false, true]);
  });
});

/** The class as each of two copies of this package would declare it. */
function copyOf(name: string) {
  return class extends Error {
    static {
      shareInstances(this, name);
    }
  };
}
