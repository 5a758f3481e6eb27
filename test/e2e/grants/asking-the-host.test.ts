import { ConsoleLogger, ForbiddenException, Logger } from '@nestjs/common';
import { granted, ResourceApiModule, type ResourceApiOptions } from '../../../lib/index.js';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../module/tiny-app.js';

const lines: string[] = [];

class Lines extends ConsoleLogger {
  override error(text: string): void {
    lines.push(text);
  }
}

type Grant = NonNullable<ResourceApiOptions['grants']>[string];

let asked = 0;

describe.each(PLATFORMS)('the functions of grants on %s', (platform) => {
  const start = async (hr: Grant) => {
    const module = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({ ...fakeClient(), $transaction: (run: (client: object) => unknown) => run(fakeClient()) }),
      access: 'public',
      rest: { prefix: 'api/rest', endpoint },
      rpc: { prefix: 'api/rpc' },
      grants: { hr },
      resources: { Post: { fields: { title: { read: granted('hr') } } } },
    });
    const { http } = await startTinyApp(platform, [module]);
    Logger.overrideLogger(new Lines());
    return http;
  };

  beforeEach(() => {
    lines.length = 0;
    asked = 0;
  });
  afterEach(async () => {
    await closeAll();
    Logger.overrideLogger(false);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('The directory is down.');
      },
      /grants\.hr threw: The directory is down\./,
    ],
    ['rejects', () => Promise.reject(new Error('The directory is down.')), /grants\.hr threw: The directory is down\./],
    ['gives undefined', () => undefined, /grants\.hr gave undefined/],
    ['gives null', () => null, /grants\.hr gave null/],
    ['gives a text', () => 'yes', /grants\.hr gave string/],
    ['gives a promise of a number', () => Promise.resolve(1), /grants\.hr gave number/],
  ])('answer 500 and a line in the log where one %s', async (_, grant, line) => {
    const http = await start(grant as Grant);
    for (const path of ['/api/rest/post', '/api/rpc/post/findMany']) {
      const { status, text } = await http.get(path);
      expect([path, status]).toEqual([path, 500]);
      expect(text).not.toMatch(/grants|hr|directory/);
      expect(lines.splice(0)).toEqual([expect.stringMatching(line)]);
    }
  });

  it('answer as an HttpException of theirs says', async () => {
    const http = await start(() => {
      throw new ForbiddenException();
    });
    expect((await http.get('/api/rest/post')).status).toBe(403);
    expect(lines).toEqual([]);
  });

  it('are asked once a request that may depend on them, and never by others', async () => {
    const http = await start(() => (asked += 1) > 0);
    const { body } = await http.get('/api/rest/post?sort=title&filter[title]=x&fields[post]=title');
    expect(body.data[0].attributes).toEqual({ title: 'Hello' });
    expect(asked).toBe(1);
    const batch = [1, 2, 3].map(() => ({ model: 'post', op: 'findMany', args: { select: { title: true } } }));
    asked = 0;
    expect((await http.post('/api/rpc/$transaction/sequential').send(batch)).status).toBe(200);
    expect(asked).toBe(1);
    asked = 0;
    await http.get('/api/rest/user');
    await http.get('/api/rest/nothing');
    expect(asked).toBe(0);
  });
});
