import { describeWhere } from '../support/describe-where.js';
import { describeQuickStart } from './support/describe-quick-start.js';
import { hasPostgresql, SERVER } from './support/quick-start-project.js';

describeWhere(await hasPostgresql(), `no server at ${SERVER}`, 'on a server', () => {
  describeQuickStart(12, 'PostgreSQL', 'init');
});
