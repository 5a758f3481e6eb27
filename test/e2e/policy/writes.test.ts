import { startBlogApp } from './blog-app.js';
import { openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';
import { readVisibleRows } from './visible-rows.js';
import { describeWrites } from './write-suite.js';

describe.each(ENGINES)('writes under row-level security on %s', (engine) => {
  describeWrites(async () => {
    const database = await openBlogDatabase(engine);
    const app = await startBlogApp(database.prisma);
    return {
      app,
      dump: database.dump,
      reset: database.reset,
      visibleTo: (callerId) => readVisibleRows(database.prisma, callerId),
      close: async () => {
        await app.close();
        await database.close();
      },
    };
  });
});
