import { Module } from '@nestjs/common';
import { ConfigurationError, ResourceAction, ResourceActions, type ResourcesOption } from '../../../lib/index.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { LogLines } from '../../support/log-lines.js';
import { resourceSchema } from '../../support/generated/tasks/resource-schema.js';
import { openTasksDatabase, type TasksDatabase } from '../../support/tasks-database.js';
import { startTestApp } from '../../support/test-app.js';

let database: TasksDatabase;
beforeAll(async () => {
  database = await openTasksDatabase();
}, 60_000);
afterAll(() => database.close());

describe('the option softDelete', () => {
  const problemsOf = (resources: unknown, grants: readonly string[] = ['admin']): readonly string[] => {
    try {
      buildResourceModel(resourceSchema, { resources: resources as ResourcesOption, grants });
      return [];
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.problems.length > 0 ? error.problems.map(({ message }) => message) : [error.message];
    }
  };

  it.each<[object, RegExp]>([
    [
      { Task: { softDelete: 'deletdAt' } },
      /^resources\.Task\.softDelete names 'deletdAt', which is no field of the model\. Did you mean 'deletedAt'\?/,
    ],
    [{ Task: { softDelete: 'title' } }, /^Task\.title cannot say when a record was deleted: it is no DateTime/],
    [{ Task: { softDelete: 'comments' } }, /^Task\.comments cannot say when a record was deleted: it is no DateTime/],
    [{ Task: { softDelete: true } }, /^resources\.Task\.softDelete is 'true'/],
    [{ Task: { softDelete: { feild: 'deletedAt' } } }, /softDelete names 'feild', which is no part of it/],
    [{ Task: { softDelete: { cascade: [] } } }, /softDelete\.field is 'undefined'\. Set it to a string/],
    [{ Task: { softDelete: { field: 'deletedAt', cascade: ['titel'] } } }, /cascade names 'titel', which is no relation/],
    [{ Task: { softDelete: { field: 'deletedAt', cascade: ['comments'] } } }, /cascade names 'comments', and Comment has no softDelete/],
    [{ Task: { softDelete: { field: 'deletedAt', show: 'amdin' } } }, /show names 'amdin', which is no grant\. Did you mean 'admin'\?/],
    [
      { Task: { softDelete: 'deletedAt', fields: { deletedAt: { update: true } } } },
      /fields\.deletedAt says 'update', and deleting records sets the field/,
    ],
    [{ Task: { softDelete: 'deletedAt', fields: { deletedAt: { value: { create: () => null } } } } }, /fields\.deletedAt says 'value'/],
  ])('is a configuration error as %j', (resources, message) => {
    expect(problemsOf(resources)).toContainEqual(expect.stringMatching(message));
  });

  it('may name a hidden field, and does not expose the model', () => {
    expect(problemsOf({ Task: { softDelete: 'deletedAt', fields: { deletedAt: 'hidden' } } })).toEqual([]);
    const { model } = buildResourceModel(resourceSchema, {
      resources: { '*': 'hidden', 'Task': {}, 'Comment': { softDelete: 'deletedAt' } },
    });
    expect(model.resources.map((resource) => resource.model)).toEqual(['Task']);
  });

  it.each<[string, RegExp | undefined, object]>([
    ['a client without transactions', /^The option 'softDelete' needs transactions/, { task: { update: () => undefined } }],
    ['a client that only reads', undefined, { task: { findMany: () => [] } }],
  ])('is checked at start with %s', async (_, message, client) => {
    const starting = startTestApp({
      platform: 'express',
      options: { schema: resourceSchema, resources: { Task: { softDelete: 'deletedAt' } }, getClient: () => client, rest: {} },
    });
    if (message) await expect(starting).rejects.toThrow(message);
    else await (await starting).close();
  });

  it('is a configuration error beside an action or a field called restore', async () => {
    @ResourceActions('Task')
    class Restoring {
      @ResourceAction()
      restore(): void {
        return undefined;
      }
    }
    @Module({ providers: [Restoring] })
    class Conflicting {}
    const starting = startTestApp({
      platform: 'express',
      options: { schema: resourceSchema, resources: { Task: { softDelete: 'deletedAt' } }, getClient: () => database.prisma, rest: {} },
      imports: [Conflicting],
    });
    await expect(starting).rejects.toThrow("resources.Task.softDelete and Restoring.restore are both 'restore' of 'Task'");
  });

  it('warns of hooks on all operations and of an unguarded mount, and rejects hooks that would not run', async () => {
    const log = new LogLines();
    const extended = database.prisma.$extends({ query: { task: { $allOperations: ({ args, query }) => query(args) } } });
    const start = (client: object) =>
      startTestApp({
        platform: 'express',
        logger: log,
        options: { schema: resourceSchema, resources: { Task: { softDelete: 'deletedAt' } }, getClient: () => client, rest: {} },
      });
    const app = await start(extended);
    await app.close();
    expect(log.warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('deleteMany as updateMany'), expect.stringMatching(/^Nothing guards /)]),
    );
    const bypassed = database.prisma.$extends({ query: { task: { deleteMany: ({ args, query }) => query(args) } } });
    await expect(start(bypassed)).rejects.toThrow("bypassedHooks: ['task.deleteMany']");
  });
});
