import type { DataClient } from '../data-client.js';

/**
 * Returns a data client that is resolved at its first use. Each call is recorded, and replayed on the resolved client when the result is awaited:
 * `client.post.findUnique(…).author()`, `client.$queryRaw`, and calls in the array of a `$transaction`.
 *
 * @param resolve resolves the client; called at most once
 */
export function lazyClient(resolve: () => Promise<DataClient>): DataClient {
  let client: Promise<DataClient> | undefined;
  const once = (): Promise<DataClient> => (client ??= resolve());
  return new Proxy(Object.freeze({}), {
    // Without a member `then`, `await` returns the client itself.
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : recorded(new Member(OWNER, name), once)),
  });
}

/** A recorded step, which is replayed on the resolved client. */
interface Step {
  on(client: DataClient): unknown;
}

const OWNER: Step = { on: (client) => client };

class Member implements Step {
  constructor(
    private readonly owner: Step,
    private readonly name: string,
  ) {}

  on(client: DataClient): unknown {
    return Reflect.get(objectOf(this.owner.on(client)), this.name);
  }

  /** Records a call of this member as a method of its owner. */
  call(given: readonly unknown[]): Step {
    return {
      on: (client) => {
        const owner = objectOf(this.owner.on(client));
        const method: unknown = Reflect.get(owner, this.name);
        if (typeof method !== 'function') throw new TypeError(`The data client has no '${this.name}' here.`);
        return Reflect.apply(
          method,
          owner,
          given.map((one) => replayed(one, client)),
        ) as unknown;
      },
    };
  }
}

/** The recorded step of each proxy. */
const steps = new WeakMap<object, Step>();

/** Replaces recorded calls in arguments by calls of the resolved client. `$transaction` receives them before they have started, as it requires. */
function replayed(given: unknown, client: DataClient): unknown {
  if (Array.isArray(given)) return given.map((one: unknown) => replayed(one, client));
  const step = typeof given === 'function' ? steps.get(given) : undefined;
  return step ? step.on(client) : given;
}

/** Returns a proxy that starts its step when it is first awaited, as promises of Prisma do. */
function recorded(step: Step, resolve: () => Promise<DataClient>): object {
  let begun: Promise<unknown> | undefined;
  const begin = (): Promise<unknown> => (begun ??= resolve().then((client) => step.on(client)));
  const proxy = new Proxy(() => undefined, {
    get: (_, name) => {
      if (name === Symbol.toStringTag) return 'PrismaPromise';
      if (typeof name === 'symbol') return undefined;
      if (!PROMISE.has(name)) return recorded(new Member(step, name), resolve);
      const promise = begin();
      return (...given: readonly unknown[]) => Reflect.apply(Reflect.get(promise, name) as Method, promise, given);
    },
    apply: (_, __, given: readonly unknown[]) => {
      if (!(step instanceof Member)) throw new TypeError('What a data client returns is called before it was awaited.');
      return recorded(step.call(given), resolve);
    },
  });
  steps.set(proxy, step);
  return proxy;
}

type Method = (...given: readonly unknown[]) => unknown;

const PROMISE: ReadonlySet<string> = new Set(['then', 'catch', 'finally']);

function objectOf(value: unknown): object {
  if ((typeof value === 'object' || typeof value === 'function') && value !== null) return value;
  throw new TypeError('The data client has no such member.');
}
