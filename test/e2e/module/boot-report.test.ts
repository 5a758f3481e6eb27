import { ConsoleLogger, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describeSurface, RESOURCE_MODEL, type ResourceModel, ResourceApiModule } from 'nestjs-resource-api';
import { tinySchema } from './tiny-app.js';

class Lines extends ConsoleLogger {
  readonly lines: string[] = [];
  override log(message: string, context?: string): void {
    if (context === 'ResourceApi') this.lines.push(message);
  }
  override warn(message: string, context?: string): void {
    if (context === 'ResourceApi') this.lines.push(`Warning: ${message}`);
  }
}

const api = ResourceApiModule.forRoot({
  schema: tinySchema,
  getClient: () => ({}),
  resources: { Post: { actions: ['read'] }, User: { fields: { name: 'hidden' } } },
});

describe('the boot report', () => {
  afterEach(() => {
    Logger.overrideLogger(false);
  });

  it('tells the log what is open, a line a model, and nothing that is hidden', async () => {
    const logger = new Lines();
    await Test.createTestingModule({ imports: [api] })
      .setLogger(logger)
      .compile();
    expect(logger.lines).toEqual([
      expect.stringMatching(/^Warning: Creating a 'User' fails .* \(1 hidden\)/),
      'Post is open to read as post: id, title, authorId, author (read, filter, sort, create, update)',
      'User is open to read, create, update, delete as user: id, posts (read, filter, sort, create, update)',
    ]);
  });

  it('tells of every model and action whether row rules leave it open, rule it or close it', async () => {
    const logger = new Lines();
    const ruled = ResourceApiModule.forRoot({
      schema: tinySchema,
      getClient: () => ({}),
      resources: { Post: { actions: ['read', 'update'] } },
      rules: { 'Post': { read: true, update: () => ({ authorId: 1 }), delete: true }, '*': { read: { id: 1 } } },
    });
    const module = await Test.createTestingModule({ imports: [ruled] })
      .setLogger(logger)
      .compile();
    expect(logger.lines.filter((line) => line.startsWith('Rows'))).toEqual([
      'Rows of Post: read open; update ruled; create, delete closed',
      'Rows of User: read ruled; create, update, delete closed',
    ]);
    expect(describeSurface(module.get<ResourceModel>(RESOURCE_MODEL)).map(({ model, rows }) => [model, rows])).toEqual([
      ['Post', { read: 'open', create: 'closed', update: 'ruled', delete: 'closed' }],
      ['User', { read: 'ruled', create: 'closed', update: 'closed', delete: 'closed' }],
    ]);
  });

  it('is there for programs, from the model that was injected', async () => {
    const module = await Test.createTestingModule({ imports: [api] }).compile();
    const surface = describeSurface(module.get<ResourceModel>(RESOURCE_MODEL));
    expect(surface.map(({ model, actions }) => [model, ...actions])).toEqual([
      ['Post', 'read'],
      ['User', 'read', 'create', 'update', 'delete'],
    ]);
    expect(JSON.stringify(surface)).not.toContain('name":"name');
  });
});
