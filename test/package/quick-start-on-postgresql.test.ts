import { describeQuickStart } from './support/describe-quick-start.js';
import { hasPostgresql, SERVER } from './support/quick-start-project.js';

if (await hasPostgresql()) describeQuickStart(12, 'PostgreSQL');
else
  describe.skip(`the quick start on NestJS 12 and PostgreSQL (skipped: no server at ${SERVER})`, () => {
    it('makes an application that answers', () => undefined);
  });
