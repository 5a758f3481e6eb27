import { type CanActivate, Controller, type ExecutionContext, Get, Module, Req, type Type, UseGuards } from '@nestjs/common';
import { InjectDataClient, type PlatformRequest, ResourceApiModule, ResourceClients } from '../../../lib/index.js';
import { runSnippet, snippetsOf } from '../../docs/page-snippets.js';
import { closeAll, endpoint, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

const reports = snippetsOf('docs/own-code.md').find((code) => code.includes("@Controller('report')")) ?? '';

interface CallerRequest extends PlatformRequest {
  callerId?: number;
}

class CallerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    context.switchToHttp().getRequest<CallerRequest>().callerId = 7;
    return true;
  }
}

/** Returns a client that counts as many posts as the id of its caller. */
const clientOf = ({ callerId = 0 }: Pick<CallerRequest, 'callerId'>) => ({
  post: { count: () => Promise.resolve(callerId), findUnique: () => Promise.resolve(null) },
});
type Client = ReturnType<typeof clientOf>;

const injected = snippetsOf('docs/own-code.md').find((code) => code.includes("@Controller('mine')")) ?? '';

describe('routes of the application (docs/own-code.md)', () => {
  afterEach(closeAll);

  it.each(PLATFORMS)('receive the client of their caller, which getClient returns after the guards, on %s', async (platform) => {
    const callers: (number | undefined)[] = [];
    const getClient = (request: CallerRequest): Client => {
      callers.push(request.callerId);
      return clientOf(request);
    };
    const names = { Controller, Get, Req, UseGuards, CallerGuard, InjectDataClient, ResourceClients };
    const controllers = [runSnippet(reports, names, 'ReportController') as Type, runSnippet(injected, names, 'MineController') as Type];
    const api = ResourceApiModule.forRoot({ schema: tinySchema, getClient, rest: { prefix: 'rest', endpoint }, guards: [CallerGuard] });
    @Module({ imports: [api], controllers })
    class AppModule {}
    const { http } = await startTinyApp(platform, [AppModule]);
    await http.get('/rest/post/1').expect(404);
    expect(callers.splice(0)).toEqual([7]);
    await http.get('/report/posts').expect(200, { count: 7 });
    expect(callers.splice(0)).toEqual([7]);
    await http.get('/mine/posts').expect(200, { count: 7 });
    expect(callers).toEqual([7]);
  });
});
