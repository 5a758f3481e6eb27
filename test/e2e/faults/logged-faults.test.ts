import { ConsoleLogger, Logger } from '@nestjs/common';
import { ApiError, type PlatformRequest, ResourceApiModule } from 'nestjs-resource-api';
import { runInNewContext } from 'node:vm';
import { LogLines } from '../../support/log-lines.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const log = new LogLines();

class FailingLogger extends ConsoleLogger {
  override error(): never {
    throw new Error('No space left on device.');
  }
}

let thrown: unknown;

afterEach(async () => {
  await closeAll();
  Logger.overrideLogger(false);
});

const ID = '[0-9a-f-]{36}';

describe.each(PLATFORMS)('the log on %s', (platform) => {
  const start = async (mapError?: (error: unknown) => ApiError | undefined) => {
    const options = {
      schema: tinySchema,
      getClient: (_request: PlatformRequest) => {
        throw thrown;
      },
      rest: { prefix: 'api/rest', endpoint },
      rpc: { prefix: 'api/rpc' },
      ...(mapError && { mapError }),
    };
    const { http } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
    Logger.overrideLogger(log);
    log.clear();
    return http;
  };

  it.each<[what: string, make: () => unknown, summary: string, details: RegExp | undefined]>([
    ['an error', () => new Error('The vault is closed.'), 'The vault is closed.', /^Error: The vault is closed\.\n {4}at /],
    ['an error with causes', () => caused(), 'Outer. ← Middle. ← Innermost.', /Outer\.[^]*Middle\.[^]*at [^]*Innermost\./],
    ['an error that is its own cause', () => ownCause(), 'Ouroboros.', /Ouroboros\./],
    ['an error of another realm', () => runInNewContext('new Error("Elsewhere.")') as unknown, 'Elsewhere.', /^Error: Elsewhere\./],
    ['an error without a message', () => new TypeError(), 'TypeError', /^TypeError/],
    ['an error with more members', () => Object.assign(new Error('No.'), { vault: { door: 7 } }), 'No.', /vault: \{ door: 7 \}/],
    ['a text', () => 'Just a text.', 'Just a text.', undefined],
    ['a text of several lines', () => 'One.\r\n[Nest] 1 LOG forged', 'One. [Nest] 1 LOG forged', undefined],
    ['a plain object', () => ({ reason: 'closed', at: { door: 7 } }), "{ reason: 'closed', at: { door: 7 } }", /door: 7/],
    ['a list', () => ['a', 1], "[ 'a', 1 ]", /'a', 1/],
    ['a number', () => 42, '42', undefined],
    ['undefined', () => undefined, 'undefined', undefined],
    ['null', () => null, 'null', undefined],
    ['an object whose members throw', () => hostile(), '[object Object]', /object Object/],
  ])('contains %s, and the request', async (_, make, summary, details) => {
    thrown = make();
    const http = await start();
    const { body } = await http.get('/api/rest/post?filter[title]=secret').expect(500);
    expect(log.all).toHaveLength(1);
    const [line] = log.all;
    expect(line?.text).toBe(`unknown-error ${String(body.errors[0].id)} GET /api/rest/post: ${summary}`);
    if (details === undefined) expect(line?.details[0]).toBeUndefined();
    else expect(line?.details[0]).toMatch(details);
    expect(JSON.stringify(log.all)).not.toContain('secret');
  });

  it('contains one line for an unreachable database', async () => {
    thrown = Object.assign(new Error('Pool.', { cause: new Error('connect ECONNREFUSED 10.0.0.1') }), { code: 'ECONNREFUSED' });
    const http = await start();
    await http.post('/api/rpc/post/findMany').set('X-HTTP-Method-Override', 'GET').send({}).expect(503);
    expect(log.all).toEqual([
      {
        level: 'warn',
        text: expect.stringMatching(
          new RegExp(`^unavailable ${ID} POST /api/rpc/post/findMany: Pool\\. ← connect ECONNREFUSED 10\\.0\\.0\\.1$`),
        ),
        details: ['ResourceApi'],
      },
    ]);
  });

  it('contains the original error if mapError replaces it or throws', async () => {
    thrown = new Error('The original.');
    const replacing = await start(() => new ApiError('unavailable', 'Come back later.'));
    await replacing.get('/api/rest/post').expect(503);
    expect(log.warnings[0]).toMatch(new RegExp(`^unavailable ${ID} GET /api/rest/post: The original\\.$`));
    const failing = await start(() => {
      throw new TypeError('The mapping.');
    });
    await failing.get('/api/rest/post').expect(500);
    expect(log.all[0]?.details[0]).toMatch(/The mapping\.[^]*The original\./);
  });

  it('answers 500, and the process goes on, when the logger of the application throws', async () => {
    thrown = new Error('The vault is closed.');
    const http = await start();
    const printed = jest.spyOn(console, 'error').mockReturnValue();
    Logger.overrideLogger(new FailingLogger());
    await http.get('/api/rest/post').expect(500, '');
    expect(printed.mock.calls).toEqual([
      [expect.stringContaining('could not be rendered or logged'), new Error('No space left on device.')],
    ]);
    Logger.overrideLogger(log);
    await http.get('/api/rest/post').expect(500);
    expect(log.all).toHaveLength(1);
    printed.mockRestore();
  });

  it('contains a truncated path if it is long', async () => {
    const refuse = (): never => {
      throw new Error('No.');
    };
    const { http } = await startTinyApp(platform, [
      ResourceApiModule.forRoot({
        schema: tinySchema,
        getClient: () => fakeClient(),
        rest: { prefix: 'api/rest', endpoint },
        guards: [{ canActivate: refuse }],
      }),
    ]);
    Logger.overrideLogger(log);
    log.clear();
    const name = 'x'.repeat(99);
    await http.get(`/api/rest/${name}/${name}/relationships/${name}`).expect(500);
    expect(log.errors[0]).toMatch(new RegExp(`^unknown-error ${ID} GET /api/rest/x{99}/x{99}/relationships/x{76}…: No\\.$`));
  });
});

function caused(): Error {
  return new Error('Outer.', { cause: new Error('Middle.', { cause: 'Innermost.' }) });
}

function ownCause(): Error {
  const error: Error = new Error('Ouroboros.');
  error.cause = error;
  return error;
}

function hostile(): object {
  const refuse = (): never => {
    throw new Error('Do not look.');
  };
  return { [Symbol.for('nodejs.util.inspect.custom')]: refuse, [Symbol.toPrimitive]: refuse };
}
