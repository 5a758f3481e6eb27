import { ResourceApiModule, type ResourceApiOptions } from 'nestjs-resource-api';
import { closeAll, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

/** Registers options that the types reject, as plain JavaScript could. */
function forRoot(options: object) {
  return ResourceApiModule.forRoot(options as ResourceApiOptions);
}

describe('a configuration with several problems', () => {
  it('is one error at start with all of them, each with its solution', async () => {
    const api = forRoot({
      schema: tinySchema,
      getClient: 'prisma',
      rest: { pageSize: 0, count: 'all' },
      rpc: { prefix: 'rpc', bytes: 'hex' },
      limits: { maxTake: -1, maxTakes: 10 },
      resources: {
        Pots: 'hidden',
        Post: { actions: ['publish'], fields: { title: 'secret', titel: 'hidden' } },
        User: { type: 7, fields: { name: { reads: true, sort: 'no' } } },
      },
    });
    await expect(startTinyApp('express', [api])).rejects.toThrow(`The configuration has 14 problems. Solve each of them:
- getClient is 'prisma'. Set it to a function.
- limits names 'maxTakes', which is no option here. Did you mean 'maxTake'?
- limits.maxTake is '-1'. Set it to a positive integer, or Infinity.`);
  });

  it('is one error with the contradicting rights of all models, and one with all conflicting names', async () => {
    const rights = forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      resources: {
        Post: { fields: { author: { update: true }, authorId: { update: false } } },
        User: { fields: { posts: { name: 'id' } } },
      },
    });
    await expect(startTinyApp('express', [rights])).rejects.toThrow(
      "resources opens 'update' of 'Post.author' and closes it on the other side",
    );
    const names = forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      resources: { Post: { fields: { title: { name: 'type' } } }, User: { fields: { posts: { name: 'id' } } } },
    });
    await expect(startTinyApp('express', [names])).rejects.toThrow(
      /has 2 problems[^]*- resources\.Post\.fields\.title\.name is 'type'[^]*- resources\.User\.fields\.posts\.name is 'id'/,
    );
  });

  it('is an error of forRoot with unknown options and invalid values together', () => {
    const options = {
      schema: tinySchema,
      getclient: () => ({}),
      getClient: () => ({}),
      rpc: true,
      limits: { maxTake: 0 },
      resources: { Pots: {} },
    };
    expect(() => forRoot(options)).toThrow(
      /has 3 problems[^]*- forRoot names 'getclient'[^]*- limits\.maxTake is '0'[^]*- resources names 'Pots'/,
    );
  });
});
